package io.sluice.reservation.grant;

import io.micrometer.core.instrument.Counter;
import io.sluice.metrics.Meters;
import io.sluice.orderlog.OrderLog;

/**
 * Chooses how the next grant becomes durable: through the order log while that takes records and
 * its backlog is below the limit, else directly in the ledger, within a budget; docs/design.md
 * section 9. One per instance, for all event loops.
 */
public final class GrantRouter {
  private final OrderLog log;
  private final Backlog backlog;
  private final DirectBudget budget;
  private final boolean directOverLimit;
  private final Counter refused;

  /**
   * Makes the choice of an instance.
   *
   * @param directOverLimit whether a backlog over its limit leads to direct bookings; otherwise
   *     nothing is granted until it has shrunk
   */
  public GrantRouter(
      OrderLog log, Backlog backlog, DirectBudget budget, boolean directOverLimit, Meters meters) {
    this.log = log;
    this.backlog = backlog;
    this.budget = budget;
    this.directOverLimit = directOverLimit;
    this.refused = meters.directBookingsRefused();
  }

  /** The way of the next grant on this partition; DIRECT takes its place in the budget. */
  GrantRoute next(int partition) {
    if (!log.takes(partition)) {
      return direct();
    }
    if (backlog.isOverLimit()) {
      return directOverLimit ? direct() : GrantRoute.NONE;
    }
    return GrantRoute.LOG;
  }

  private GrantRoute direct() {
    return take(1) == 1 ? GrantRoute.DIRECT : GrantRoute.NONE;
  }

  /** Whether an append is worth a try, for grants that were meant for the log. */
  boolean isLogTaking(int partition) {
    return log.takes(partition);
  }

  /** Takes up to so many places in the budget, for grants that the log did not take. */
  int take(int orders) {
    int taken = budget.take(orders);
    refused.increment(orders - taken);
    return taken;
  }

  /** Told before each append of grants. */
  void appending(int orders) {
    backlog.appending(orders);
  }
}
