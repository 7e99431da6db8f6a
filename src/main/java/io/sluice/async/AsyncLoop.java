package io.sluice.async;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Iterator;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Sequential asynchronous loops of any length: one Promise for all rounds. A chain of composed
 * Futures would grow with the data, and its last completion would overflow the stack.
 */
public final class AsyncLoop {
  private final Supplier<Future<Boolean>> step;
  private final Promise<Void> ended = Promise.promise();

  /** Whether {@link #run} is on the stack: a step that completes at once is met by its loop. */
  private boolean running;

  private boolean goOn;

  private AsyncLoop(Supplier<Future<Boolean>> step) {
    this.step = step;
  }

  /**
   * Repeats a step while it answers true, each round after the one before. Fails with the first
   * failure, also one that a step throws; no round follows it.
   */
  public static Future<Void> whileTrue(Supplier<Future<Boolean>> step) {
    AsyncLoop loop = new AsyncLoop(step);
    loop.run();
    return loop.ended.future();
  }

  /** Runs the body for one item after the other; fails with the first failure. */
  public static <T> Future<Void> forEach(Iterable<T> items, Function<T, Future<?>> body) {
    Iterator<T> left = items.iterator();
    return whileTrue(
        () -> left.hasNext() ? body.apply(left.next()).map(true) : Future.succeededFuture(false));
  }

  private void run() {
    running = true;
    do {
      goOn = false;
      round().onComplete(done -> roundEnded(done.result(), done.cause()));
    } while (goOn);
    running = false;
  }

  private Future<Boolean> round() {
    try {
      return step.get();
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  private void roundEnded(Boolean more, Throwable cause) {
    if (cause != null) {
      ended.fail(cause);
    } else if (!more) {
      ended.complete();
    } else if (running) {
      goOn = true;
    } else {
      run();
    }
  }
}
