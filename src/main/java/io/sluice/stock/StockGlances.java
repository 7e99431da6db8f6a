package io.sluice.stock;

import io.sluice.model.BucketId;
import io.vertx.core.Future;
import java.util.List;

/**
 * Questions about many buckets at once, each at a small part of the cost of as many snapshots; not
 * read at one instant. Part of {@link StockStore}.
 */
public interface StockGlances {
  /** The maximum number of buckets in one question. */
  int BUCKETS_MAX = 500;

  /**
   * Whether the store has all of these buckets, in any state, none lacks a part, and none has
   * unbooked grants.
   *
   * @param buckets 1 to {@link #BUCKETS_MAX}
   */
  Future<Boolean> areQuiet(List<BucketId> buckets);

  /**
   * Whether the store has anything of one of these buckets, in any state.
   *
   * @param buckets 1 to {@link #BUCKETS_MAX}
   */
  Future<Boolean> hasAny(List<BucketId> buckets);
}
