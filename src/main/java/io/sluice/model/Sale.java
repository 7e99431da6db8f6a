package io.sluice.model;

/**
 * A sale as the ledger records it: SKUs that open and close together. Its SKUs take over its terms
 * and its state, each change some at a time; {@link Membership#taken} shows how far they are.
 *
 * @param carts whether all its SKUs are placed in one partition; fixed by the first PUT
 * @param state SCHEDULED, OPEN or CLOSED, as stored; {@link #at} gives the effective state
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

  /** How many SKUs it may have. */
  public int skusMax() {
    return carts ? Limits.SALE_SKUS_WITH_CARTS_MAX : Limits.SALE_SKUS_MAX;
  }
}
