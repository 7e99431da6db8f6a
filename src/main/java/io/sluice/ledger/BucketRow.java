package io.sluice.ledger;

import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Placement;
import io.sluice.model.Placement.PlacedBucket;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import java.util.OptionalLong;

/**
 * A bucket as the ledger records it, with the settings of its SKU.
 *
 * @param state of its SKU; ENDED or ARCHIVED once the bucket has ended, before its SKU has
 * @param saleNo of its SKU
 * @param base units of {@code allotted} that orders of earlier sales hold or have bought
 * @param sinceEpoch orders of earlier sales have this epoch at most, those of the current one a
 *     higher one; 0 in the SKU's first sale
 * @param withdrawn units of orders of the current sale that have left the stock with their refund;
 *     Redis goes on counting them, in the total and as taken
 * @param skuTotal the totals in Redis of all buckets of the SKU; empty if it has no other bucket
 * @param carts whether orders may have lines in this bucket and in others, of the same sale
 */
public record BucketRow(
    BucketId id,
    int partition,
    long allotted,
    long held,
    long sold,
    long epoch,
    long version,
    SkuState state,
    SkuSettings settings,
    long saleNo,
    long base,
    long sinceEpoch,
    long withdrawn,
    OptionalLong skuTotal,
    boolean carts) {
  /** The epoch of a bucket that was never loaded: every load raises it. */
  public static final long FIRST_EPOCH = 1;

  /** No partition of the order log, nor that of direct SKUs. */
  private static final int NOWHERE = -2;

  /** In place of the row of a bucket whose SKU was deleted: it is gone from everywhere. */
  public static BucketRow deleted(BucketId id) {
    return new BucketRow(
        id,
        NOWHERE,
        0,
        0,
        0,
        0,
        0,
        SkuState.ENDED,
        new SkuSettings(0, 0, 0, 0),
        0,
        0,
        0,
        0,
        OptionalLong.empty(),
        false);
  }

  /** Whether it was never loaded in its sale; the sale began with the epoch. */
  public boolean isFresh() {
    return epoch == sinceEpoch + FIRST_EPOCH;
  }

  public long free() {
    return allotted - held - sold;
  }

  /** Whether it sells in the ledger alone, so that nothing of it is in Redis. */
  public boolean isDirect() {
    return partition == Placement.DIRECT;
  }

  /** The total in Redis: the units of the current sale, and those that have left it. */
  public long total() {
    return stock() + withdrawn;
  }

  /** The units of the current sale, without those that have left it. */
  public long stock() {
    return allotted - base;
  }

  /** The units that the current sale has sold. */
  public long soldNow() {
    return sold - base;
  }

  /** The units that orders of the current sale hold or have bought. */
  public long taken() {
    return held + sold - base;
  }

  /**
   * The units that Redis counts as claimed and not released, once all is booked and all that ended
   * is released. As the total counts them too, units that leave the stock change nothing there.
   */
  public long counted() {
    return taken() + withdrawn;
  }

  /** Whether an order, or a grant, is of an earlier sale. */
  public boolean isEarlier(long orderEpoch) {
    return orderEpoch <= sinceEpoch;
  }

  /** The bucket and where it is. */
  public PlacedBucket placed() {
    return new PlacedBucket(partition, id);
  }

  /**
   * An order as a rebuild loads it.
   *
   * @param left units that it occupies; 0 if it is not live
   * @param withdrawn units of it that have left the stock
   * @param rejected whether it never held a unit
   */
  public record LoadRow(Grant grant, int left, int withdrawn, boolean rejected) {
    /** An order of which nothing has left the stock. */
    public LoadRow(Grant grant, int left, boolean rejected) {
      this(grant, left, 0, rejected);
    }

    public boolean live() {
      return left > 0;
    }
  }
}
