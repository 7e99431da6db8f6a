package io.sluice.model;

/** SKUs that are open, placed in 8 partitions. */
public final class Skus {
  private Skus() {}

  public static Sku open(long skuId, long stock, int buckets, SkuSettings settings) {
    return open(skuId, stock, buckets, Sku.Mode.FAST, settings, Placement.first(skuId, buckets, 8));
  }

  public static Sku open(
      long skuId,
      long stock,
      int buckets,
      Sku.Mode mode,
      SkuSettings settings,
      Placement placement) {
    SkuState open = SkuState.OPEN;
    return new Sku(
        skuId,
        stock,
        stock,
        buckets,
        mode,
        settings,
        open,
        open,
        placement,
        Sku.Membership.NONE,
        null);
  }

  /** The same SKU elsewhere. */
  public static Sku placed(Sku sku, Sku.Mode mode, Placement placement) {
    return new Sku(
        sku.skuId(),
        sku.firstStock(),
        sku.totalStock(),
        sku.buckets(),
        mode,
        sku.settings(),
        sku.state(),
        sku.thawedState(),
        placement,
        sku.membership(),
        sku.name());
  }
}
