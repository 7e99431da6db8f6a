package io.sluice.ledger.rules;

import io.sluice.model.Grant;
import io.sluice.model.Limits;
import org.jspecify.annotations.Nullable;

/** Finds the value of a grant, if any, that prevents its booking. */
public final class GrantFlaw {
  /**
   * More rebuilds of a bucket than can happen between a backup and its restore: not a real epoch.
   */
  static final long EPOCHS_LOST_MAX = 1_000_000;

  static final String TOKEN = "a token that is the text of 128 bits";

  private GrantFlaw() {}

  /** The expectation that this grant violates, or null if its values can be booked. */
  public static @Nullable String of(Grant grant) {
    if (grant.qty() < 1 || grant.qty() > Limits.QTY_MAX) {
      return "a qty of 1 to " + Limits.QTY_MAX;
    }
    if (!Limits.isUserId(grant.userId())) {
      return "a user id";
    }
    if (grant.seq() < 1 || grant.epoch() < 1) {
      return "a seq and an epoch of at least 1";
    }
    if (!grant.token().isCanonical()) {
      return TOKEN;
    }
    return grant.grantedAtMs() < 0 || grant.payBeforeMs() < 0 ? "times of at least 0" : null;
  }
}
