package io.sluice.model;

/**
 * The settings of a sale for all its SKUs.
 *
 * @param opensAtMs epoch milliseconds, 0 for none
 * @param closesAtMs epoch milliseconds, 0 for none
 * @param paymentWindowS seconds, 0 to {@link Limits#PAYMENT_WINDOW_S_MAX}; 0 confirms on booking
 * @param ticket whether orders need a ticket of the sale
 */
public record SaleTerms(long opensAtMs, long closesAtMs, long paymentWindowS, boolean ticket) {

  /** The settings of a SKU of this sale. */
  public SkuSettings settings(int limitPerUser, Watermarks marks) {
    return new SkuSettings(paymentWindowS, limitPerUser, opensAtMs, closesAtMs, ticket, marks);
  }

  /** The same with another end. */
  public SaleTerms closingAt(long otherMs) {
    return new SaleTerms(opensAtMs, otherMs, paymentWindowS, ticket);
  }
}
