package io.sluice.stock;

import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One buyer's request for units of several SKUs, all of them or none.
 *
 * @param token that of the first line; those of the others differ in the bucket only
 * @param reference as in {@link StockStore.Request}
 * @param lines {@link io.sluice.model.Limits#CART_LINES_MIN} to {@link
 *     io.sluice.model.Limits#CART_LINES_MAX}, by SKU id, which differ; all in one partition, or in
 *     none
 */
public record CartRequest(
    OrderToken token, String userId, @Nullable String reference, List<Line> lines) {
  public CartRequest {
    lines = List.copyOf(lines);
  }

  /**
   * The units of one SKU.
   *
   * @param saleNo of the SKU's sale, as the caller believes
   */
  public record Line(BucketId bucket, int qty, long saleNo) {}
}
