package io.sluice.ledger.rules;

import io.sluice.model.Grant;
import io.sluice.model.Order;
import java.time.Duration;

/**
 * Until when an order can be paid: what Redis said, unless its clock cannot have been right then.
 * Due orders are found by the ledger's clock, so that a grant of a Redis whose clock is behind
 * would end too early, and one of a Redis whose clock is ahead would occupy its units for longer.
 */
public final class PaymentTime {
  /** No clock is much closer to another one; from here on the difference raises an alarm. */
  static final Duration AHEAD_MAX = Duration.ofSeconds(2);

  /** Longer than booking rests, and than an owner is missed. */
  static final Duration BEHIND_MAX = Duration.ofSeconds(30);

  private PaymentTime() {}

  /**
   * When this order is due.
   *
   * <p>A grant is never booked before it was granted. One that is older than booking takes was
   * waiting in a backlog, or Redis' clock was behind: that cannot be told apart, and the buyer may
   * have the whole time from now on, never less than was promised.
   */
  static long payBeforeMs(Grant grant, long nowMs) {
    long windowMs = Math.max(0, grant.payBeforeMs() - grant.grantedAtMs());
    long ageMs = nowMs - grant.grantedAtMs();
    if (ageMs < -AHEAD_MAX.toMillis()) {
      return nowMs + windowMs;
    }
    return ageMs > BEHIND_MAX.toMillis()
        ? Math.max(grant.payBeforeMs(), nowMs + windowMs)
        : grant.payBeforeMs();
  }

  /**
   * Until when Redis has promised this hold, by its own clock; expects one that nothing has changed
   * since it was booked.
   */
  public static long promisedBeforeMs(Order hold) {
    long ageMs = hold.updatedAtMs() - hold.createdAtMs();
    boolean asPromised = ageMs >= -AHEAD_MAX.toMillis() && ageMs <= BEHIND_MAX.toMillis();
    return asPromised ? hold.payBeforeMs() : hold.payBeforeMs() - ageMs;
  }
}
