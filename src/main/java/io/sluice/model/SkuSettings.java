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

  /**
   * From how much on a SKU is said to be nearly sold out.
   *
   * @param lowPercent LOW at this part of the total or less, 1 to 100
   * @param lastPercent LAST at this part of the total or less, 0 to {@code lowPercent}
   */
  public record Watermarks(int lowPercent, int lastPercent) {
    public static final Watermarks DEFAULT = new Watermarks(20, 5);

    /** Whether these values are in their ranges. */
    public boolean areValid() {
      return lowPercent >= 1 && lowPercent <= 100 && lastPercent >= 0 && lastPercent <= lowPercent;
    }
  }
}
