package io.sluice.grant;

import io.sluice.model.Sku;
import org.jspecify.annotations.Nullable;

/** Decides, without any call, whether one request may ask for a SKU at all. */
@FunctionalInterface
public interface SkuEntry {
  /** Every SKU may be asked for. */
  SkuEntry OPEN = sku -> null;

  /** The answer to a request that may not; null for one that may. */
  PlacedOrder.@Nullable Refused refusal(Sku sku);
}
