package io.sluice.model;

/**
 * The settings of a SKU that may change after its first PUT.
 *
 * @param paymentWindowS seconds, 0 to {@link Limits#PAYMENT_WINDOW_S_MAX}; 0 confirms on booking
 * @param limitPerUser units a buyer may have, held or sold, 0 to {@link Limits#LIMIT_PER_USER_MAX};
 *     0 means no limit
 * @param opensAtMs epoch milliseconds, 0 for none
 * @param closesAtMs epoch milliseconds, 0 for none
 * @param ticket whether orders need the ticket of a waiting room; like {@code marks} known to the
 *     ledger, not to Redis
 * @param marks from how much on it is said to be nearly sold out
 */
public record SkuSettings(
    long paymentWindowS,
    int limitPerUser,
    long opensAtMs,
    long closesAtMs,
    boolean ticket,
    Watermarks marks) {

  /** Settings with the default watermarks. */
  public SkuSettings(
      long paymentWindowS, int limitPerUser, long opensAtMs, long closesAtMs, boolean ticket) {
    this(paymentWindowS, limitPerUser, opensAtMs, closesAtMs, ticket, Watermarks.DEFAULT);
  }

  /** Settings without tickets, and all that Redis knows. */
  public SkuSettings(long paymentWindowS, int limitPerUser, long opensAtMs, long closesAtMs) {
    this(paymentWindowS, limitPerUser, opensAtMs, closesAtMs, false);
  }

  /** The same with other watermarks. */
  public SkuSettings with(Watermarks other) {
    return new SkuSettings(paymentWindowS, limitPerUser, opensAtMs, closesAtMs, ticket, other);
  }
}
