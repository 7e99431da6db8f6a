package io.sluice.model;

import io.sluice.model.Sale.SaleTerms;

/** Sales in short, and as others are, but for one thing. */
public final class Sales {
  private Sales() {}

  /** One without carts that was never changed. */
  public static Sale of(String saleId, String name, SaleTerms terms, SkuState state) {
    return new Sale(saleId, name, false, terms, state, false, 1, 1, 1);
  }

  /** The same sale under another name. */
  public static Sale named(String name, Sale sale) {
    return of(sale.saleId(), name, sale.terms(), sale.state());
  }

  /** The same sale in another state, and in the versions that led to it. */
  public static Sale in(SkuState state, long version, long stateVersion, Sale sale) {
    return new Sale(
        sale.saleId(),
        sale.name(),
        sale.carts(),
        sale.terms(),
        state,
        false,
        version,
        stateVersion,
        sale.createdAtMs());
  }
}
