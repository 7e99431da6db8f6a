package io.sluice.stock;

import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.stock.StockStore.BucketTotal;
import io.sluice.stock.StockStore.LoadHead;
import io.sluice.stock.StockStore.Request;
import io.vertx.core.Future;

/** Buckets on sale that have no orders yet, in term, epoch and version 1. */
public final class OpenBuckets {
  public static final long TERM = 1;

  private OpenBuckets() {}

  public static Future<BucketCode> open(
      StockStore stock, BucketId bucket, long units, SkuSettings settings) {
    LoadHead head = new LoadHead(1, 0, new BucketTotal(1, units, SkuState.OPEN, settings), 0);
    return stock
        .freeze(bucket, TERM)
        .compose(
            frozen ->
                stock
                    .load(bucket, TERM, frozen.mark(), head)
                    .compose(loaded -> stock.open(bucket, TERM, frozen.mark())));
  }

  public static OrderToken token(BucketId bucket, char id) {
    String text = bucket.skuId() + "." + bucket.bucket() + "." + String.valueOf(id).repeat(21);
    return new OrderToken(bucket.skuId(), bucket.bucket(), text + "A");
  }

  /** Of the user with this letter. */
  public static Request request(BucketId bucket, char id, int qty) {
    return new Request(token(bucket, id), "user-" + id, qty);
  }
}
