package io.sluice.model;

import org.jspecify.annotations.Nullable;

/**
 * How a SKU belongs to a sale.
 *
 * @param saleNo how many sales it was in, the current one included; 0 where it was in none
 * @param saleId the sale that it is in; null where it is in none
 * @param frozenBySale whether it is FROZEN only because its sale is
 * @param taken the version of the sale whose terms and state it has; lower than the sale's own
 *     while the sale's last change has not reached it
 */
public record Membership(long saleNo, @Nullable String saleId, boolean frozenBySale, long taken) {
  /** Of a SKU that was never in a sale. */
  public static final Membership NONE = new Membership(0, null, false, 0);

  /** Whether it is in a sale. */
  public boolean isInSale() {
    return saleId != null;
  }

  /** The same, frozen with its sale or not. */
  public Membership frozenBySale(boolean frozen) {
    return frozen == frozenBySale ? this : new Membership(saleNo, saleId, frozen, taken);
  }
}
