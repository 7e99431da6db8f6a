package io.sluice.reservation.grant;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The wish of a buyer for one order of several SKUs: all of it, or nothing.
 *
 * @param lines {@link io.sluice.model.Limits#CART_LINES_MIN} to {@link
 *     io.sluice.model.Limits#CART_LINES_MAX}, whose SKUs differ
 * @param requestKey the buyer's Idempotency-Key, or null: one order per buyer and set of SKUs
 * @param reference as in {@link OrderWish}
 * @param traced as in {@link OrderWish}
 */
public record CartWish(
    String userId,
    List<Line> lines,
    @Nullable String requestKey,
    @Nullable String reference,
    boolean traced) {

  /** By SKU id: the first one leads. */
  public CartWish {
    lines = lines.stream().sorted(Comparator.comparingLong(Line::skuId)).toList();
  }

  /** Units of one SKU. */
  public record Line(long skuId, int qty) {}

  /** The ids of its SKUs, in order. */
  public List<Long> skuIds() {
    return lines.stream().map(Line::skuId).toList();
  }
}
