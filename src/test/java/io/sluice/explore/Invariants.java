package io.sluice.explore;

import io.sluice.ledger.Ledger.BucketRow;
import io.sluice.ledger.SkuLedger.Audit;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Snapshot;
import java.util.List;
import java.util.Set;

/** What holds at every instant. */
final class Invariants {
  private final World world;

  Invariants(World world) {
    this.world = world;
  }

  void check() {
    Audit audit = world.ledger().audit(Sale.SKU).result().orElseThrow();
    if (audit.available() < 0) {
      world.breach("P1 never oversold", "Expected held + sold <= total, but got " + audit);
    }
    if (!audit.agrees()) {
      world.breach("P6 counters equal rows", "Expected them to agree, but got " + audit);
    }
    for (BucketId id : Sale.buckets(world.scenario())) {
      BucketRow row = world.ledger().bucket(id).result().orElseThrow();
      if (row.free() < 0) {
        world.breach("P1 never oversold", "Expected held + sold <= allotted, but got " + row);
      }
      compare(row, world.redis().stock().snapshot(id, List.of(), StockStore.UNBOOKED_MAX).result());
    }
  }

  /** An open bucket never offers what the ledger does not have. */
  private void compare(BucketRow row, Snapshot seen) {
    if (seen.code() != BucketCode.OK) {
      return;
    }
    if (seen.epoch() != row.epoch()) {
      world.breach(
          "an open bucket has the ledger's epoch",
          "Expected epoch "
              + row.epoch()
              + ", but Redis serves "
              + row.id()
              + " in "
              + seen.epoch());
    }
    long offered = seen.available() + unitsNotBooked(seen.unbooked());
    if (offered > row.free() || seen.available() < 0) {
      world.breach(
          "Redis offers what the ledger has",
          "Expected at most " + row.free() + " units, but " + row.id() + " offers " + seen);
    }
  }

  private long unitsNotBooked(List<Grant> unbooked) {
    if (unbooked.isEmpty()) {
      return 0;
    }
    List<OrderToken> tokens = unbooked.stream().map(Grant::token).toList();
    Set<OrderToken> booked = world.ledger().orders(tokens).result().keySet();
    return unbooked.stream()
        .filter(grant -> !booked.contains(grant.token()))
        .mapToLong(Grant::qty)
        .sum();
  }
}
