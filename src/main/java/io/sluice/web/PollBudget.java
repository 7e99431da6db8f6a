package io.sluice.web;

import io.sluice.model.Limits;
import io.sluice.web.problem.Problem;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The places of long polls of a port: a number in all, and a number for each buyer. Thread-safe.
 */
public final class PollBudget {
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
