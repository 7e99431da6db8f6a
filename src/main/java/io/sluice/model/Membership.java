package io.sluice.model;

import org.jspecify.annotations.Nullable;

/**
 * How a SKU belongs to a sale.
 *
 * @param saleNo how many sales it was in, the current one included; 0 if it was in none
 * @param saleId the sale that it is in; null if it is in none
 * @param frozenBySale whether it is FROZEN only because its sale is
 * @param taken the version of the sale whose terms and state it has; lower than the sale's own
 *     while the sale's last change has not reached it
 * @param base units that orders of earlier sales hold or have bought; they are part of its total
 */
public record Membership(
    long saleNo, @Nullable String saleId, boolean frozenBySale, long taken, long base) {
  /** Of a SKU that was never in a sale. */
  public static final Membership NONE = new Membership(0, null, false, 0);

  /** Of a SKU that is in its first sale. */
  public Membership(long saleNo, @Nullable String saleId, boolean frozenBySale, long taken) {
    this(saleNo, saleId, frozenBySale, taken, 0);
  }

  /** Whether it is in a sale. */
  public boolean isInSale() {
    return saleId != null;
  }

  /** The same, frozen with its sale or not. */
  public Membership frozenBySale(boolean frozen) {
    return frozen == frozenBySale ? this : new Membership(saleNo, saleId, frozen, taken, base);
  }

  /** The same, with a version of its sale that it has taken over now, frozen with it or not. */
  public Membership with(boolean frozen, long version) {
    return new Membership(saleNo, saleId, frozen, version, base);
  }
}
