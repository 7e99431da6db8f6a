package io.sluice.ledger;

import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings.Watermarks;
import java.util.Set;

/** SKUs in the body of a PUT of a sale, without a name. */
public final class SaleSkus {
  private SaleSkus() {}

  /** One that sells through Redis, if it is new; else it keeps its mode. */
  public static SaleSku of(
      long skuId, long totalStock, int buckets, int limitPerUser, Watermarks marks) {
    return of(skuId, totalStock, buckets, limitPerUser, marks, Sku.Mode.FAST, Set.of("mode"));
  }

  /** With all values given. */
  public static SaleSku of(
      long skuId, long totalStock, int buckets, int limitPerUser, Watermarks marks, Sku.Mode mode) {
    return of(skuId, totalStock, buckets, limitPerUser, marks, mode, Set.of());
  }

  /**
   * @param leaves the fields that are left out
   */
  public static SaleSku of(
      long skuId,
      long totalStock,
      int buckets,
      int limitPerUser,
      Watermarks marks,
      Sku.Mode mode,
      Set<String> leaves) {
    return new SaleSku(skuId, totalStock, buckets, limitPerUser, marks, mode, null, leaves);
  }
}
