package io.sluice.web;

import io.sluice.metrics.Meters;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerResponse;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The requests in flight on one event loop, and their limit. A request counts from when its body is
 * complete until it is answered or its caller has disconnected. Used by one event loop only.
 */
public final class InFlight {
  private final int max;
  private final Set<Runnable> waiting = new HashSet<>();

  /** Written by its event loop only, read by scrapes of the metrics. */
  private final AtomicInteger count = new AtomicInteger();

  private @Nullable Promise<Void> drained;

  /**
   * @param max the maximum number of requests in flight, at least 1
   */
  public InFlight(int max, Meters meters) {
    this.max = max;
    meters.inFlight(count::get);
  }

  public boolean isDraining() {
    return drained != null;
  }

  /** Takes a place until the response has ended; false where all are taken. */
  boolean enter(HttpServerResponse response) {
    if (count.getPlain() >= max) {
      return false;
    }
    count.setRelease(count.getPlain() + 1);
    response.endHandler(end -> leave());
    return true;
  }

  private void leave() {
    count.setRelease(count.getPlain() - 1);
    if (count.getPlain() == 0 && drained != null) {
      drained.tryComplete();
    }
  }

  /** The result of the wait or, as soon as draining begins, what is known without it. */
  <T> Future<T> untilDrained(Future<T> news, Supplier<Future<T>> known) {
    Promise<T> first = Promise.promise();
    Runnable stop = () -> known.get().onComplete(first::tryComplete, first::tryFail);
    waiting.add(stop);
    news.onComplete(result -> waiting.remove(stop)).onComplete(first::tryComplete, first::tryFail);
    return first.future();
  }

  /** Stops admitting requests; completes when none is in flight. */
  public Future<Void> drain() {
    if (drained == null) {
      drained = Promise.promise();
      List.copyOf(waiting).forEach(Runnable::run);
    }
    if (count.getPlain() == 0) {
      drained.tryComplete();
    }
    return drained.future();
  }
}
