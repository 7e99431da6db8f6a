package io.sluice.async;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * A repeated piece of work that never overlaps itself: woken while it runs, it runs once more. A
 * failure ends the run; the next wake tries again, so each pass has a timer as its safety net.
 */
public final class BackgroundTask {
  private static final Logger log = LoggerFactory.getLogger(BackgroundTask.class);

  /** Longer than anything lasts that a step waits for. */
  public static final Duration STUCK_AFTER = Duration.ofSeconds(120);

  private final String name;
  private final UnaryOperator<LoggingEventBuilder> about;
  private final Supplier<Future<Boolean>> step;
  private boolean running;
  private boolean again;
  private boolean stopped;
  private boolean failing;
  private final StallDetector patience = new StallDetector(STUCK_AFTER);
  private Future<?> current = Future.succeededFuture();

  /** The same for work that is nobody's in particular. */
  public BackgroundTask(String name, Supplier<Future<Boolean>> step) {
    this(name, UnaryOperator.identity(), step);
  }

  /**
   * Expects a step that does one bounded piece of work, and answers whether more is due at once.
   *
   * @param name what operators know it by
   * @param about adds to what is logged whose work it is
   */
  public BackgroundTask(
      String name, UnaryOperator<LoggingEventBuilder> about, Supplier<Future<Boolean>> step) {
    this.name = name;
    this.about = about;
    this.step = step;
  }

  public void wake() {
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
  public void progressed() {
    patience.restart();
  }

  /** A timer's call, each {@link StallDetector#TICK}: whether the step under way stands still. */
  public boolean isStuck() {
    if (!running || !patience.tick()) {
      return false;
    }
    tell(log.atError())
        .addKeyValue("seconds", patience.seconds())
        .log("ALARM: a pass stands still");
    return true;
  }

  /** Begins no more steps; completes when the one in flight has ended. */
  public Future<Void> stop() {
    stopped = true;
    return current.transform(ended -> Future.succeededFuture());
  }

  private void report(@Nullable Throwable cause) {
    if (cause == null) {
      if (failing) {
        tell(log.atInfo()).log("pass works again");
      }
      failing = false;
    } else if (!stopped && !(cause instanceof EndedException)) {
      if (!failing) {
        tell(log.atWarn())
            .addKeyValue("cause", cause.toString())
            .log("pass failed; it is tried again until it works");
      }
      failing = true;
    }
  }

  private LoggingEventBuilder tell(LoggingEventBuilder event) {
    return about.apply(event).addKeyValue("pass", name);
  }
}
