package io.sluice.ledger;

import io.sluice.model.SkuSettings.Watermarks;
import io.vertx.core.Future;
import java.util.List;

/**
 * The units that SKUs have left, and the watermarks that they have passed. A watermark is the
 * SKU's, not a bucket's: only the owner of its first bucket looks after it. Part of {@link Ledger}.
 */
public interface StockMarks {

  /**
   * A SKU's stock as the ledger counts it, over all buckets, without the units that its earlier
   * sales have sold.
   *
   * @param below how many marks the stock is at or below, as last written: 0, 1 for LOW, 2 for LAST
   *     as well
   * @param crossings how many marks were crossed so far
   */
  record MarkedStock(
      long skuId, long total, long available, Watermarks marks, int below, long crossings) {}

  /**
   * The next SKUs whose first bucket is in this partition, in order of their ids; none that has
   * begun to end.
   */
  Future<List<MarkedStock>> markedStocks(int partition, long afterSkuId, int limit);

  /**
   * Reads the same page again in one transaction under the fence, writes down which marks its SKUs
   * have passed since, and leaves an event of each. Without effect if none was passed. False if the
   * fence is lost; nothing is changed then.
   */
  Future<Boolean> crossMarks(Fence fence, long afterSkuId, int limit);
}
