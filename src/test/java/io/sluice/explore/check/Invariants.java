package io.sluice.explore.check;

import io.sluice.explore.run.Sale;
import io.sluice.explore.run.World;
import io.sluice.explore.store.Op;
import io.sluice.ledger.Audit;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.Batch;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Snapshot;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The invariants that hold at every instant. */
public final class Invariants {
  private final World world;
  private final PaymentTimes paymentTimes;
  private final FreeUnits freeUnits;
  private final EndedSkus endedSkus;

  public Invariants(World world) {
    this.world = world;
    this.paymentTimes = new PaymentTimes(world);
    this.freeUnits = new FreeUnits(world);
    this.endedSkus = new EndedSkus(world);
  }

  FreeUnits freeUnits() {
    return freeUnits;
  }

  /** Whether the sale of some SKU has begun so late that an instance may not know it. */
  boolean areNew(Asked asked) {
    return endedSkus.areNew(asked);
  }

  public void check() {
    paymentTimes.check();
    if (world.drift().isInCounters()) {
      return;
    }
    Sale.skus(world.scenario()).forEach(this::checkSku);
    Map<BucketId, Snapshot> heads = new LinkedHashMap<>();
    Map<BucketId, BucketRow> rows = new LinkedHashMap<>();
    for (BucketId id : Sale.buckets(world.scenario())) {
      BucketRow row = world.ledger().bucket(id).result().orElseThrow();
      if (row.free() < 0) {
        world.breach("P1 never oversold", "Expected held + sold <= allotted, but got " + row);
      }
      Snapshot seen =
          world.redis().stock().snapshot(id, List.of(), StockStore.UNBOOKED_MAX).result();
      heads.put(id, seen);
      rows.put(id, row);
      if (!world.drift().suspendsInvariants() && !world.restored().isUntrusted(id)) {
        compare(row, seen);
      }
    }
    freeUnits.watch(heads);
    if (world.scenario().ends()) {
      endedSkus.watch(rows, heads);
    }
  }

  /** Called after each call that may have changed something, with its answer. */
  public void happened(Op op, Object[] arguments, Object answer) {
    if (!op.label().equals("ledger.apply") || answer == null) {
      return;
    }
    Map<Integer, Fence> fences = world.ledger().fences().result();
    List<?> batches = (List<?>) arguments[0];
    List<?> results = (List<?>) answer;
    for (int i = 0; i < results.size(); i++) {
      Step step = ((Batch) batches.get(i)).step();
      Fence now = fences.get(step.partition());
      if (results.get(i) instanceof Result.Applied
          && (now.term() != step.term() || now.nextOffset() < step.endOffset())) {
        world.breach("only the owner books", "Expected " + step + " to be under " + now);
      }
    }
  }

  private void checkSku(long skuId) {
    Audit audit = world.ledger().audit(skuId).result().orElseThrow();
    if (audit.available() < 0) {
      world.breach("P1 never oversold", "Expected held + sold <= total, but got " + audit);
    }
    if (!audit.agrees()) {
      world.breach("P6 counters equal rows", "Expected them to agree, but got " + audit);
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
