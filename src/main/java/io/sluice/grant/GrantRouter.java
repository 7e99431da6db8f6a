package io.sluice.grant;

import io.micrometer.core.instrument.Counter;
import io.sluice.async.RateLimit;
import io.sluice.metrics.Meters;
import io.sluice.orderlog.OrderLog;

/**
 * Chooses how the next grant is made durable. It goes through the order log while that takes
 * records and its backlog is below the limit, else past it to the ledger, within a budget. See
 * docs/design-failures.md section 9. One per instance, for all event loops.
 */
public final class GrantRouter {
  /** How a grant is made durable. Chosen before Redis is asked. */
  enum Route {
    /** In a record of the order log. */
    LOG,
    /** Booked in the ledger, past the log; of a fast SKU, a permit of the budget is taken. */
    PAST_LOG,
    /** Neither has capacity now, so Redis is not asked. */
    NONE
  }

  private final OrderLog log;
  private final Backlog backlog;
  private final RateLimit budget;
  private final boolean pastLogOverLimit;
  private final Counter refused;

  /**
   * @param pastLogOverLimit whether grants are booked past the log while the backlog is over its
   *     limit; otherwise nothing is granted until it has shrunk
   */
  public GrantRouter(
      OrderLog log, Backlog backlog, RateLimit budget, boolean pastLogOverLimit, Meters meters) {
    this.log = log;
    this.backlog = backlog;
    this.budget = budget;
    this.pastLogOverLimit = pastLogOverLimit;
    this.refused = meters.directBookingsRefused();
  }

  /** The route of the next grant on this partition; PAST_LOG takes a permit of the budget. */
  Route next(int partition) {
    if (!log.takes(partition)) {
      return pastLog();
    }
    if (backlog.isOverLimit()) {
      return pastLogOverLimit ? pastLog() : Route.NONE;
    }
    return Route.LOG;
  }

  private Route pastLog() {
    return take(1) == 1 ? Route.PAST_LOG : Route.NONE;
  }

  /** Takes up to this many permits of the budget, for grants that the log did not take. */
  int take(int orders) {
    int taken = budget.take(orders);
    refused.increment(orders - taken);
    return taken;
  }
}
