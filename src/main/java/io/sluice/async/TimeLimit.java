package io.sluice.async;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;

/**
 * The time limit of a wait. If the Future belongs to no event loop, {@link Future#timeout} alone
 * would fire on a thread that belongs to none. All that follows would run there, in parallel to the
 * loop that owns the state.
 */
public final class TimeLimit {
  private TimeLimit() {}

  /**
   * The outcome of the work, on the caller's context. The work itself goes on after the limit.
   *
   * @param limitMs at least 1; then the outcome is a {@link java.util.concurrent.TimeoutException}
   */
  public static <T> Future<T> of(long limitMs, Future<T> work) {
    ContextInternal caller = ContextInternal.current();
    if (caller == null || work.isComplete()) {
      return work.timeout(limitMs, MILLISECONDS);
    }
    var outcome = caller.<T>promise();
    work.onComplete(outcome);
    return outcome.future().timeout(limitMs, MILLISECONDS);
  }
}
