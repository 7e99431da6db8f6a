package io.sluice.ledger;

import io.sluice.model.BucketId;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import java.util.OptionalLong;

/** The only buckets of SKUs that were in no sale before their current one. */
public final class BucketRows {
  private BucketRows() {}

  /** Of a SKU that was never in a sale. */
  public static BucketRow of(
      BucketId id,
      int partition,
      long allotted,
      long held,
      long sold,
      long epoch,
      long version,
      SkuState state,
      SkuSettings settings) {
    return of(id, partition, allotted, held, sold, epoch, version, state, settings, 0);
  }

  public static BucketRow of(
      BucketId id,
      int partition,
      long allotted,
      long held,
      long sold,
      long epoch,
      long version,
      SkuState state,
      SkuSettings settings,
      long saleNo) {
    OptionalLong alone = OptionalLong.empty();
    return new BucketRow(
        id, partition, allotted, held, sold, epoch, version, state, settings, saleNo, 0, 0, 0,
        alone, false);
  }

  /** A copy in this partition, with as many units and as many of them sold. */
  public static BucketRow like(BucketRow row, int partition, long allotted, long sold) {
    return of(
        row.id(),
        partition,
        allotted,
        row.held(),
        sold,
        row.epoch(),
        row.version(),
        row.state(),
        row.settings());
  }
}
