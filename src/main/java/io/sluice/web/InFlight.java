package io.sluice.web;

import io.sluice.metrics.Meters;
import io.sluice.model.Limits;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The requests in flight on one event loop, and their limit. A request counts from when its body is
 * complete until it is answered or its caller has disconnected. Long polls do not count, but an
 * instance that stops waits for them as well. Used by one event loop only.
 */
public final class InFlight {
  private final int max;
  private final Set<Runnable> waiting = new HashSet<>();

  /** Written by its event loop only, read by scrapes of the metrics. */
  private final AtomicInteger count = new AtomicInteger();

  private int polls;
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

  /** The requests in flight now; asked on the event loop. */
  public int count() {
    return count.getPlain();
  }

  /** Whether all places are taken. */
  public boolean isFull() {
    return count() >= max;
  }

  /** Takes a place, which {@link #leave} gives back; false if all are taken. */
  boolean enter() {
    if (isFull()) {
      return false;
    }
    count.setRelease(count.getPlain() + 1);
    return true;
  }

  void leave() {
    count.setRelease(count.getPlain() - 1);
    left();
  }

  /** Begins a long poll, which {@link #leavePoll} ends. */
  void enterPoll() {
    polls++;
  }

  void leavePoll() {
    polls--;
    left();
  }

  private void left() {
    if (drained != null && isEmpty()) {
      drained.tryComplete();
    }
  }

  private boolean isEmpty() {
    return count.getPlain() == 0 && polls == 0;
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
    left();
    return drained.future();
  }

  /**
   * The places of long polls of a port: a number in all, and a number for each buyer. Thread-safe.
   */
  public static final class PollBudget {
    private final int max;
    private final AtomicInteger polls = new AtomicInteger();
    private final ConcurrentMap<String, Integer> byBuyer = new ConcurrentHashMap<>();

    /**
     * @param max the maximum number of polls at a time
     */
    public PollBudget(int max) {
      this.max = max;
    }

    /**
     * Takes a place, which {@link #leave} gives back.
     *
     * @param buyer null for the back office
     * @return the answer if there is no place; else null
     */
    @Nullable Problem enter(@Nullable String buyer) {
      if (polls.incrementAndGet() > max) {
        polls.decrementAndGet();
        return Problem.POLLS_FULL;
      }
      if (buyer != null && byBuyer.merge(buyer, 1, Integer::sum) > Limits.POLLS_PER_BUYER_MAX) {
        leave(buyer);
        return Problem.POLLS_OF_BUYER;
      }
      return null;
    }

    void leave(@Nullable String buyer) {
      polls.decrementAndGet();
      if (buyer != null) {
        byBuyer.computeIfPresent(buyer, (same, count) -> count > 1 ? count - 1 : null);
      }
    }

    /** The number of polls now. */
    public int count() {
      return polls.get();
    }
  }
}
