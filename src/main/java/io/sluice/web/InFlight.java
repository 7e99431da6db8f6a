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
 * The requests that one event loop has under way, and their bound. A request counts from when its
 * body is there until it is answered or its caller is gone. Used by one event loop only.
 */
public final class InFlight {
  private final int max;
  private final Set<Runnable> waiting = new HashSet<>();

  /** Changed by its event loop only, read by scrapes of the metrics. */
  private final AtomicInteger count = new AtomicInteger();

  private @Nullable Promise<Void> drained;

  /** Expects how many may be under way at once, at least 1. */
  public InFlight(int max, Meters meters) {
    this.max = max;
    meters.inFlight(count::get);
  }

  public boolean isDraining() {
    return drained != null;
  }

  /** Takes a place until the response has ended. False: all are taken. */
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

  /** What the news bring or, as soon as draining begins, what is known without them. */
  <T> Future<T> untilDrained(Future<T> news, Supplier<Future<T>> known) {
    Promise<T> first = Promise.promise();
    Runnable stop = () -> known.get().onComplete(first::tryComplete, first::tryFail);
    waiting.add(stop);
    news.onComplete(result -> waiting.remove(stop)).onComplete(first::tryComplete, first::tryFail);
    return first.future();
  }

  /** From now on nothing new shall begin; completes when nothing is under way. */
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
