package io.sluice.ledger;

import io.sluice.model.BucketId;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** How Redis is compared with the ledger, and what is noted of it. Part of {@link Ledger}. */
public interface Reconciliation {

  /** Releases of a partition that are not SENT; where there are more, none is listed. */
  int UNRELEASED_MAX = 5_000;

  /** How many tokens {@code booked} may be asked for. */
  int BOOKED_MAX = 2_000;

  /**
   * Holds a bucket of the fence's partition still while {@code look} looks at it; writes nothing.
   * Empty where the fence is lost.
   */
  <T> Future<Optional<T>> compare(Fence fence, BucketId id, Function<StillBucket, Future<T>> look);

  /** Keeps the partition's last report (JSON) of how Redis and the ledger compare. */
  Future<Void> reported(int partition, String report);

  /** Freezes the SKU with an alarm, since something that cannot happen was seen. Idempotent. */
  Future<Void> freezeSku(long skuId, String why);

  /**
   * A repair that was begun since Redis and the ledger disagreed.
   *
   * @param what e.g. the bucket
   * @param atMs when it was recorded, epoch milliseconds; given back, not taken
   */
  record Correction(String what, String before, String after, String why, long atMs) {}

  /** Records a repair. */
  Future<Void> correct(Correction correction);

  /** The last repairs, newest first. */
  Future<List<Correction>> corrections(int limit);
}
