package io.sluice.reservation.grant;

import io.sluice.async.BatchReader;
import io.sluice.model.BucketId;
import io.sluice.model.Placement;
import io.sluice.model.Sku;
import io.sluice.stock.BucketCode;
import io.sluice.stock.Stock;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks whether an empty bucket means that the SKU is sold out: only if every other bucket, read
 * after the refusal, is empty too. However many requests are refused, one round of reads per SKU
 * runs at a time.
 */
final class SoldOutCheck {
  private static final int WAITING_MAX = 100_000;

  private record Buckets(long skuId, Placement placement) {}

  private final Stock stock;

  /** By SKU; a round returns the buckets that are not known to be empty. */
  private final BatchReader<Buckets, Integer, Set<Integer>> rounds =
      new BatchReader<>(WAITING_MAX, WAITING_MAX, (sku, refusing) -> askAll(sku));

  SoldOutCheck(Stock stock) {
    this.stock = stock;
  }

  /**
   * @param refusing a bucket that has just refused
   */
  Future<Boolean> isSoldOut(Sku sku, BucketId refusing) {
    if (sku.buckets() == 1) {
      return Future.succeededFuture(true);
    }
    return rounds
        .read(new Buckets(sku.skuId(), sku.placement()), refusing.bucket())
        .map(open -> open.stream().allMatch(bucket -> bucket == refusing.bucket()));
  }

  private Future<Set<Integer>> askAll(Buckets sku) {
    Set<Integer> open = new HashSet<>();
    List<Future<Void>> asked = new ArrayList<>();
    for (int bucket = 0; bucket < sku.placement().partitions().size(); bucket++) {
      int asking = bucket;
      open.add(asking);
      asked.add(
          isEmpty(sku.placement().partitionOf(asking), new BucketId(sku.skuId(), asking))
              .onSuccess(empty -> removeIf(open, asking, empty))
              .otherwise(false)
              .mapEmpty());
    }
    return Future.join(asked).map(open);
  }

  private Future<Boolean> isEmpty(int partition, BucketId bucket) {
    return stock
        .at(partition)
        .snapshot(bucket, List.of(), 0)
        .map(now -> now.code() == BucketCode.OK && now.available() <= 0);
  }

  private static void removeIf(Set<Integer> open, Integer bucket, boolean empty) {
    if (empty) {
      open.remove(bucket);
    }
  }
}
