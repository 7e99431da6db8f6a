package io.sluice.owner;

import io.vertx.core.Future;
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

  private final String name;
  private final int partition;
  private final Supplier<Future<Boolean>> step;
  private boolean running;
  private boolean again;
  private boolean stopped;
  private boolean failing;
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
    again = false;
    Future<Boolean> run = step.get();
    current = run;
    run.onComplete(
        done -> {
          running = false;
          report(done.cause());
          if (again || (done.succeeded() && done.result())) {
            wake();
          }
        });
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
