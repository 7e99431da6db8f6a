package io.sluice.explore.check;

import io.sluice.explore.actor.Buyer;
import io.sluice.explore.run.Sale;
import io.sluice.explore.run.World;
import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.ledger.SkuLedger.Audit;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockReads.Snapshot;
import io.sluice.stock.StockStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The invariants that hold at every instant. */
public final class Invariants {
  private final World world;
  private final PaymentTimes paymentTimes;

  /** By units and bucket: since when this many were available without interruption, or -1. */
  private final Map<Integer, Map<BucketId, Long>> freeSinceUs = new HashMap<>();

  public Invariants(World world) {
    this.world = world;
    this.paymentTimes = new PaymentTimes(world);
  }

  public void check() {
    paymentTimes.check();
    Audit audit = world.ledger().audit(Sale.SKU).result().orElseThrow();
    if (world.drift().isInCounters()) {
      return;
    }
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
      Snapshot seen =
          world.redis().stock().snapshot(id, List.of(), StockStore.UNBOOKED_MAX).result();
      watch(id, seen);
      if (!world.drift().suspendsInvariants()) {
        compare(row, seen);
      }
    }
  }

  /** Whether some bucket could have granted this many units at any time since then. */
  boolean wereFreeSince(int units, long sinceUs) {
    return freeSinceUs.getOrDefault(units, Map.of()).values().stream()
        .anyMatch(free -> free >= 0 && free <= sinceUs);
  }

  private void watch(BucketId id, Snapshot seen) {
    for (int units = 1; units <= Buyer.UNITS_MAX; units++) {
      boolean free = seen.code() == BucketCode.OK && seen.available() >= units;
      long nowUs = world.scheduler().nowUs();
      freeSinceUs
          .computeIfAbsent(units, first -> new HashMap<>())
          .merge(id, free ? nowUs : -1, (was, now) -> was >= 0 && now >= 0 ? was : now);
    }
  }

  /** An open bucket never offers more than the ledger has. */
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
