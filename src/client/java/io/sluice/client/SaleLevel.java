package io.sluice.client;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Whether a sale sells, and roughly how much is left of a page of its SKUs. At most a second old.
 *
 * @param saleId the sale
 * @param name what it is called
 * @param state as that of a {@link SkuLevel}
 * @param opensAt when it opens, if that is set
 * @param closesAt when it closes, if that is set
 * @param skus by their ids
 * @param nextAfter the {@code after} of the next page; none if this is the last one
 */
public record SaleLevel(
    String saleId,
    String name,
    String state,
    Optional<Instant> opensAt,
    Optional<Instant> closesAt,
    List<SkuLevel> skus,
    Optional<Long> nextAfter) {

  /** The SKUs are copied. */
  public SaleLevel {
    skus = List.copyOf(skus);
  }

  static SaleLevel of(JsonObject json) {
    return new SaleLevel(
        json.text("sale_id"),
        json.text("name"),
        json.text("state"),
        json.timeIfThere("opens_at"),
        json.timeIfThere("closes_at"),
        json.objects("skus").stream().map(SkuLevel::of).toList(),
        json.numberIfThere("next_after"));
  }
}
