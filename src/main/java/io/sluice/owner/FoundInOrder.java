package io.sluice.owner;

import io.sluice.ledger.BucketRow;
import io.sluice.model.BucketId;
import io.sluice.stock.StockStore.Stamp;
import java.util.HashMap;
import java.util.Map;

/**
 * The buckets that were found in order since Redis last wrote anything, each with its row in the
 * ledger. While Redis writes nothing and the row stays the same, another look would find the same.
 */
final class FoundInOrder {
  private Stamp stamp = Stamp.UNKNOWN;
  private Map<BucketId, BucketRow> rows = new HashMap<>();

  /**
   * Forgets all of them if Redis has written since.
   *
   * @param now read before anything that is added next was looked at
   */
  void at(Stamp now) {
    if (!now.isUnchangedSince(stamp)) {
      stamp = now;
      rows = new HashMap<>();
    }
  }

  void add(BucketRow row) {
    rows.put(row.id(), row);
  }

  void remove(BucketId bucket) {
    rows.remove(bucket);
  }

  boolean has(BucketRow row) {
    return row.equals(rows.get(row.id()));
  }

  int count() {
    return rows.size();
  }
}
