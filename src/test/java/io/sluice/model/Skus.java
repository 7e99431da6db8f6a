package io.sluice.model;

/** SKUs that are open, placed in 8 partitions. */
public final class Skus {
  private Skus() {}

  public static Sku open(long skuId, long stock, int buckets, SkuSettings settings) {
    return new Sku(
        skuId,
        stock,
        stock,
        buckets,
        Sku.Mode.FAST,
        settings,
        SkuState.OPEN,
        SkuState.OPEN,
        Placement.first(skuId, buckets, 8));
  }
}
