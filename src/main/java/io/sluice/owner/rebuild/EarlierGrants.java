package io.sluice.owner.rebuild;

import io.sluice.ledger.Instances.InstanceSettings;
import io.sluice.owner.fencing.OwnerContext;
import io.vertx.core.Future;
import java.time.Duration;

/**
 * Waits for grants that were made before a freeze; docs/design.md section 8: until none can still
 * become a yes, and all that became one are booked.
 */
final class EarlierGrants {
  static final Duration AFTER_DEADLINE = Duration.ofMillis(500);

  /** Redis may accept writes for up to 1.5 s after the lag; 2 s leave a margin. */
  static final Duration AFTER_LAG = Duration.ofSeconds(2);

  private final OwnerContext context;
  private final Duration grantDeadline;
  private long begun;
  private long ended;

  EarlierGrants(OwnerContext context, Duration grantDeadline) {
    this.context = context;
    this.grantDeadline = grantDeadline;
  }

  /** How many waits have begun. */
  long begun() {
    return begun;
  }

  /** How many of these are over. */
  long ended() {
    return ended;
  }

  /**
   * Completes once the log is booked up to where it ended when the last of these grants could be
   * acknowledged, with the time from a freeze until then. Must begin after the last freeze of the
   * buckets that wait together.
   */
  Future<Duration> drained() {
    begun++;
    return longest()
        .compose(deadline -> drained(deadline).map(deadline))
        .onComplete(over -> ended++);
  }

  private Future<Void> drained(Duration deadline) {
    return context
        .timers()
        .after(deadline)
        .compose(waited -> context.ledger().nowMs())
        .onSuccess(context.ownership()::settled)
        .compose(settled -> context.orderLog().endOffset(context.ownership().partition()))
        .compose(context.ownership()::bookedSoon);
  }

  /**
   * The longest grant deadline of all instances that may still grant counts; each instance has
   * registered its own before its first grant.
   */
  private Future<Duration> longest() {
    return Future.all(context.ledger().longestSettings(), context.stock().replicaLag())
        .map(
            both -> {
              InstanceSettings all = both.resultAt(0);
              Duration lag = both.resultAt(1);
              long deadlineMs = Math.max(grantDeadline.toMillis(), all.grantDeadlineMs());
              Duration deadline = AFTER_DEADLINE.plusMillis(deadlineMs);
              return lag.isZero() ? deadline : deadline.plus(lag).plus(AFTER_LAG);
            });
  }
}
