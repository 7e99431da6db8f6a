package io.sluice.model;

import io.sluice.model.IfMatch.StateTag;
import io.sluice.model.Sku.Membership;
import io.sluice.model.SkuSettings.Watermarks;

/**
 * A sale as the ledger records it: SKUs that open and close together. Its SKUs take over its terms
 * and its state, each change some at a time; {@link Membership#taken} shows how far they are.
 *
 * @param carts whether all its SKUs are placed in one partition; fixed by the first PUT
 * @param state any but FROZEN, as stored; {@link #at} gives the effective state
 * @param frozen whether it is stopped, whatever its state
 * @param version rises with each change
 * @param stateVersion the version of the last change of {@code state}: it replaces the states that
 *     its SKUs were given on their own before
 * @param createdAtMs epoch milliseconds
 */
public record Sale(
    String saleId,
    String name,
    boolean carts,
    SaleTerms terms,
    SkuState state,
    boolean frozen,
    long version,
    long stateVersion,
    long createdAtMs) {

  /** The effective state at a time. */
  public SkuState at(long nowMs) {
    return frozen ? SkuState.FROZEN : state.at(nowMs, terms.opensAtMs(), terms.closesAtMs());
  }

  /** Whether its orders are being moved to the archive; its end leaves the version as it was. */
  public boolean isArchiving() {
    return state == SkuState.ENDED && version > stateVersion;
  }

  /** Whether it may begin to end, because its closes_at has passed so long ago. */
  public boolean isClosedFor(long forMs, long nowMs) {
    return !frozen && state.isClosedFor(forMs, nowMs, terms.closesAtMs());
  }

  /** Differs if a PUT or a change of its state has changed it; its SKUs have their own. */
  public String tag() {
    return StateTag.of(saleId, name, carts, version, state, frozen, createdAtMs);
  }

  /** How many SKUs it may have. */
  public int skusMax() {
    return carts ? Limits.SALE_SKUS_WITH_CARTS_MAX : Limits.SALE_SKUS_MAX;
  }

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
}
