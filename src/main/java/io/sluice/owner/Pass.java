package io.sluice.owner;

import io.sluice.async.AsyncLoop;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A repeated piece of work that never overlaps itself: woken while it runs, it runs once more. A
 * failure ends the run; the next wake tries again, so each pass has a timer as its safety net.
 */
final class Pass {
  private static final Logger log = LoggerFactory.getLogger(Pass.class);

  /** Longer than anything lasts that a step waits for. */
  static final Duration STUCK_AFTER = Duration.ofSeconds(120);

  private final String name;
  private final int partition;
  private final Supplier<Future<Boolean>> step;
  private boolean running;
  private boolean again;
  private boolean stopped;
  private boolean failing;
  private final Patience patience = new Patience(STUCK_AFTER);
  private Future<?> current = Future.succeededFuture();

  /** The step does one bounded piece of work, and answers whether more is due at once. */
  Pass(String name, int partition, Supplier<Future<Boolean>> step) {
    this.name = name;
    this.partition = partition;
    this.step = step;
  }

  void wake() {
    if (stopped) {
      return;
    }
    if (running) {
      again = true;
      return;
    }
    running = true;
    AsyncLoop.whileTrue(this::run);
  }

  /** One step after the other, while more is due, or it was woken meanwhile. */
  private Future<Boolean> run() {
    again = false;
    patience.restart();
    Future<Boolean> run = begin();
    current = run;
    return run.transform(
        (more, cause) -> {
          report(cause);
          running = !stopped && (again || (cause == null && more));
          return Future.succeededFuture(running);
        });
  }

  private Future<Boolean> begin() {
    try {
      return step.get();
    } catch (RuntimeException thrown) {
      return Future.failedFuture(thrown);
    }
  }

  /** The step under way goes on: it is long, and not stuck. */
  void progressed() {
    patience.restart();
  }

  /** A timer's call, each {@link Patience#TICK}: whether the step under way stands still. */
  boolean isStuck() {
    if (!running || !patience.tick()) {
      return false;
    }
    log.atError()
        .addKeyValue("partition", partition)
        .addKeyValue("pass", name)
        .addKeyValue("seconds", patience.seconds())
        .log("ALARM: a pass stands still");
    return true;
  }

  /** Begins no more steps; completes when the one in flight has ended. */
  Future<Void> stop() {
    stopped = true;
    return current.transform(ended -> Future.succeededFuture());
  }

  private void report(@Nullable Throwable cause) {
    if (cause == null) {
      if (failing) {
        log.atInfo()
            .addKeyValue("partition", partition)
            .addKeyValue("pass", name)
            .log("pass works again");
      }
      failing = false;
    } else if (!stopped && !(cause instanceof FenceLostException)) {
      if (!failing) {
        log.atWarn()
            .addKeyValue("partition", partition)
            .addKeyValue("pass", name)
            .addKeyValue("cause", cause.toString())
            .log("pass failed; it is tried again until it works");
      }
      failing = true;
    }
  }
}
