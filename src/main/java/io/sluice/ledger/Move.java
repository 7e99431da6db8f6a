package io.sluice.ledger;

import io.sluice.model.BucketId;
import io.sluice.model.Placement.PlacedBucket;
import java.util.List;

/** Units that leave a bucket for others of its SKU. */
public record Move(BucketId from, long saleNo, List<Part> parts) {
  /** The units of all parts. */
  public long units() {
    return parts.stream().mapToLong(Part::units).sum();
  }

  /**
   * The units that one bucket gets.
   *
   * @param requestId of the request that is served by this
   * @param partition where the bucket is
   */
  public record Part(long requestId, int bucket, int partition, long units) {}

  /**
   * A request for units that an instance leaves for the owner of a bucket.
   *
   * @param from the bucket that may have them
   * @param to the bucket that has too few
   * @param need the units that it needs at least: nothing moves while it has as many
   * @param most the units that its buyers take in a second
   */
  public record Borrow(PlacedBucket from, PlacedBucket to, long saleNo, long need, long most) {}
}
