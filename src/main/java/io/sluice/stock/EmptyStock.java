package io.sluice.stock;

import io.sluice.model.BucketId;
import io.vertx.core.Future;

/** Buckets of SKUs that have several, where they are empty. Part of {@link StockStore}. */
public interface EmptyStock {
  /** The total of a SKU where it is not known. */
  long UNKNOWN = -1;

  /**
   * A bucket that was found empty.
   *
   * @param code OK, or ABSENT, LOST, LOADING: then nothing was read
   * @param skuTotal the units of all buckets of the SKU; {@link #UNKNOWN} where that is not known
   *     for this version
   * @param contents identifies the bucket's token set
   * @param soldOutMs how long nothing new is granted, in milliseconds; 0 where it may be
   */
  record EmptyBucket(
      BucketCode code,
      long total,
      long released,
      long version,
      long skuTotal,
      ReserveReply.Contents contents,
      int soldOutMs) {
    /** Units that can be granted. */
    public long available() {
      return total - contents.claimed() + released;
    }
  }

  /**
   * Reads a bucket that was found empty, and where it still is lets it grant nothing new for 250
   * ms, as {@code reserve} does where the SKU has no other bucket.
   */
  Future<EmptyBucket> soldOut(BucketId bucket);
}
