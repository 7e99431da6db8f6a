package io.sluice.model;

/**
 * The settings of a SKU that may change after its first PUT.
 *
 * @param paymentWindowS seconds, 0 to {@link Limits#PAYMENT_WINDOW_S_MAX}; 0 confirms on booking
 * @param limitPerUser units a buyer may have, held or sold, 0 to {@link Limits#LIMIT_PER_USER_MAX};
 *     0 means no limit
 * @param opensAtMs epoch milliseconds, 0 for none
 * @param closesAtMs epoch milliseconds, 0 for none
 * @param ticket whether orders need the ticket of a waiting room; known to the ledger, not to Redis
 */
public record SkuSettings(
    long paymentWindowS, int limitPerUser, long opensAtMs, long closesAtMs, boolean ticket) {

  /** Settings without tickets, and all that Redis knows. */
  public SkuSettings(long paymentWindowS, int limitPerUser, long opensAtMs, long closesAtMs) {
    this(paymentWindowS, limitPerUser, opensAtMs, closesAtMs, false);
  }
}
