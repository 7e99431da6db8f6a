package io.sluice.ledger;

import io.sluice.model.BucketId;
import io.sluice.model.Placement.PlacedBucket;
import io.vertx.core.Future;
import java.util.List;

/**
 * Units that move from one bucket of a SKU to others; docs/design.md section 8. Part of {@link
 * Ledger}, for owners; instances ask by {@link SkuLedger#borrow}.
 */
public interface Moves {

  /**
   * A request for units that an instance leaves for the owner of a bucket.
   *
   * @param from the bucket that may have them
   * @param to the bucket that has too few
   * @param need the units that it needs at least: nothing moves while it has as many
   * @param most the units that its buyers take in a second
   */
  record Borrow(PlacedBucket from, PlacedBucket to, long saleNo, long need, long most) {}

  /**
   * The units that one bucket gets.
   *
   * @param requestId of the request that is served by this
   * @param partition where the bucket is
   */
  record Part(long requestId, int bucket, int partition, long units) {}

  /** Units that leave a bucket for others of its SKU. */
  record Move(BucketId from, long saleNo, List<Part> parts) {
    /** The units of all parts. */
    public long units() {
      return parts.stream().mapToLong(Part::units).sum();
    }
  }

  /** The result of {@link #lend}. */
  enum LendResult {
    /** There is an intent now, which the owner carries out from its outbox row. */
    INTENDED,
    /** The SKU does not sell, is in another sale, or no request is open any more. */
    NOTHING,
    FENCE_LOST
  }

  /**
   * Serves the requests of these parts that are still open: leaves one intent for all of them. A
   * request that is served is not withdrawn any more. The intent ends by {@link
   * Buckets#finishTake}, which moves the units from one allotment to the others in one transaction,
   * or by {@link Buckets#refuseTake}.
   */
  Future<LendResult> lend(Fence fence, Move move);
}
