package io.sluice.ledger;

import io.sluice.model.BucketId;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Comparison of Redis with the ledger, and the records of its results. Part of {@link Ledger}. */
public interface Reconciliation {

  /**
   * The maximum number of pending releases that {@link StillBucket#unreleased} lists; with more, it
   * lists none.
   */
  int UNRELEASED_MAX = 5_000;

  /** The maximum number of tokens in one call of {@link StillBucket#booked}. */
  int BOOKED_MAX = 2_000;

  /**
   * Locks a bucket of the fence's partition while {@code look} reads it; writes nothing. Empty if
   * the fence is lost.
   */
  <T> Future<Optional<T>> compare(Fence fence, BucketId id, Function<StillBucket, Future<T>> look);

  /** Stores the partition's last reconciliation report (JSON). */
  Future<Void> reported(int partition, String report);

  /** Freezes the SKU with an alarm, because an impossible state was found. Idempotent. */
  Future<Void> freezeSku(long skuId, String why);

  /**
   * A repair that was started because Redis and the ledger differ.
   *
   * @param what e.g. the bucket
   * @param atMs when it was recorded, epoch milliseconds; set on reading, ignored on writing
   */
  record Correction(String what, String before, String after, String why, long atMs) {}

  /** Records a repair. */
  Future<Void> correct(Correction correction);

  /** The last repairs, newest first. */
  Future<List<Correction>> corrections(int limit);
}
