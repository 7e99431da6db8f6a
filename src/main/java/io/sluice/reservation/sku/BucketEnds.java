package io.sluice.reservation.sku;

import io.sluice.async.BatchReader;
import io.sluice.ledger.Ledger;
import io.sluice.model.BucketId;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.vertx.core.Future;

/**
 * Whether a bucket has ended of a SKU that is about to. A bucket ends as soon as its last order
 * has, while others of its SKU may have orders for an hour. From then on Redis has nothing of it,
 * and the ledger alone answers.
 */
public final class BucketEnds {
  private static final int WAITING_MAX = 100_000;

  /** One look at a time; callers that come meanwhile share the next one. */
  private final BatchReader<BucketId, BucketId, Boolean> reader;

  public BucketEnds(Ledger buckets) {
    this.reader =
        new BatchReader<>(
            1,
            WAITING_MAX,
            (bucket, asked) ->
                buckets
                    .bucket(bucket)
                    .map(row -> row.filter(now -> now.state().isEnded()).isPresent()));
  }

  /** Whether buckets of this SKU may have ended before it. */
  public static boolean mayHaveEnded(Sku sku) {
    return sku.state() == SkuState.ENDING;
  }

  /** Fails if the ledger cannot be read now. */
  public Future<Boolean> hasEnded(BucketId bucket) {
    return reader.read(bucket, bucket);
  }
}
