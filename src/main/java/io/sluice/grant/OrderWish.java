package io.sluice.grant;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The wish of a buyer for one order: all of its lines, or nothing.
 *
 * @param lines one, or {@link io.sluice.model.Limits#CART_LINES_MIN} to {@link
 *     io.sluice.model.Limits#CART_LINES_MAX} whose SKUs differ; in order of the SKU ids
 * @param requestKey the buyer's Idempotency-Key, or null: one order per buyer and set of SKUs
 * @param reference the caller's own name for the order, or null. Not part of the key: if the order
 *     exists, it keeps the one that it has
 * @param traced whether its caller may ask, and asks, that it is traced; else its token decides
 */
public record OrderWish(
    String userId,
    List<Line> lines,
    @Nullable String requestKey,
    @Nullable String reference,
    boolean traced) {

  /** By SKU id: the first one leads. */
  public OrderWish {
    if (lines.size() > 1) {
      lines = lines.stream().sorted(Comparator.comparingLong(Line::skuId)).toList();
    }
  }

  /** Units of one SKU. */
  public record Line(long skuId, int qty) {}

  /** The ids of its SKUs, in order. */
  public List<Long> skuIds() {
    return lines.stream().map(Line::skuId).toList();
  }
}
