package io.sluice.ledger.rules;

import io.sluice.model.Grant;
import io.sluice.model.Order;
import java.time.Duration;

/**
 * The payment deadline of an order: the one that Redis set, unless the clock of Redis must have
 * been wrong. Time-outs go by the ledger's clock. Without a correction, a grant by a Redis whose
 * clock is behind would end too early. One by a Redis whose clock is ahead would hold its units too
 * long.
 */
public final class PaymentTime {
  /** Clocks may differ by less than this without an alarm. */
  static final Duration AHEAD_MAX = Duration.ofSeconds(2);

  /** Longer than booking ever pauses, and than a partition is without an owner. */
  static final Duration BEHIND_MAX = Duration.ofSeconds(30);

  private PaymentTime() {}

  /**
   * The payment deadline of a new order.
   *
   * <p>A grant is never booked before it was made, so one from the future proves a wrong clock. One
   * older than {@link #BEHIND_MAX} either waited in a backlog, or the clock of Redis was behind.
   * The two cannot be distinguished, so the buyer gets the whole payment window from now on, and
   * never less than was promised. So no order is booked with a deadline more than {@link
   * #BEHIND_MAX} ago.
   */
  static long payBeforeMs(Grant grant, long nowMs) {
    long windowMs = Math.max(0, grant.payBeforeMs() - grant.grantedAtMs());
    long ageMs = nowMs - grant.grantedAtMs();
    if (ageMs < -AHEAD_MAX.toMillis()) {
      // Equal times say that there is nothing to pay.
      boolean isEqual = windowMs > 0 && nowMs + windowMs == grant.grantedAtMs();
      return nowMs + windowMs + (isEqual ? 1 : 0);
    }
    return ageMs > BEHIND_MAX.toMillis()
        ? Math.max(grant.payBeforeMs(), nowMs + windowMs)
        : Math.max(grant.payBeforeMs(), grant.grantedAtMs());
  }

  /**
   * The payment deadline that Redis gave this hold, by the clock of Redis.
   *
   * @param hold PENDING, unchanged since it was booked
   */
  public static long promisedBeforeMs(Order hold) {
    long ageMs = hold.updatedAtMs() - hold.createdAtMs();
    boolean asPromised = ageMs >= -AHEAD_MAX.toMillis() && ageMs <= BEHIND_MAX.toMillis();
    return asPromised ? hold.payBeforeMs() : hold.payBeforeMs() - ageMs;
  }
}
