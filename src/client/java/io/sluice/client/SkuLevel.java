package io.sluice.client;

import java.time.Instant;
import java.util.Optional;

/**
 * Whether a SKU sells, and roughly how much is left. At most a second old.
 *
 * @param skuId the SKU
 * @param state {@code SCHEDULED}, {@code OPEN}, {@code CLOSED}, {@code FROZEN}, {@code ENDING},
 *     {@code ENDED} or {@code ARCHIVED}
 * @param level {@code PLENTY}, {@code LOW}, {@code LAST} or {@code SOLD_OUT}
 * @param opensAt when it opens, if that is set; of a SKU in a {@link SaleLevel} never
 * @param closesAt when it closes, likewise
 */
public record SkuLevel(
    long skuId, String state, String level, Optional<Instant> opensAt, Optional<Instant> closesAt) {

  /** Whether an order has no chance now. */
  public boolean isSoldOut() {
    return level.equals("SOLD_OUT");
  }

  static SkuLevel of(JsonObject json) {
    return new SkuLevel(
        json.number("sku_id"),
        json.text("state"),
        json.text("level"),
        json.timeIfThere("opens_at"),
        json.timeIfThere("closes_at"));
  }
}
