package io.sluice.explore.run;

import io.sluice.ledger.BucketRow;
import io.sluice.ledger.BucketRows;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.model.BucketId;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore.Snapshot;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Checks, once there are no more faults, whether all work is done, and what is left. */
public final class Settlement {
  private static final int ALL = 10_000;

  private final World world;

  Settlement(World world) {
    this.world = world;
  }

  /** The first item of unfinished work, or null. */
  String left() {
    if (world.lateUnderWay() > 0) {
      return "late calls are in flight";
    }
    for (int partition = 0; partition < world.scenario().partitions(); partition++) {
      String left = leftIn(partition);
      if (left != null) {
        return left;
      }
    }
    for (Order order : orders(world)) {
      if (order.status() == OrderStatus.PENDING) {
        return "an order is neither paid nor ended: " + order;
      }
    }
    if (world.restored().isBeingMended()) {
      return "owners may yet find out that the ledger was restored";
    }
    String left = leftInRedis();
    boolean found = world.drift().passesLeft() == 0;
    return left != null || found ? left : "reconcile has not yet ended two passes";
  }

  private String leftIn(int partition) {
    long end = world.log().endOffset(partition).result();
    var fence = world.ledger().fences().result().get(partition);
    if (fence == null || fence.nextOffset() != end) {
      return "the log is booked up to " + fence + " of " + end;
    }
    for (OutboxKind kind : OutboxKind.values()) {
      var rows = world.ledger().pending(partition, kind, 0, ALL).result();
      if (!rows.isEmpty()) {
        return "outbox rows are pending: " + rows;
      }
    }
    var requests = world.ledger().openRequests(Set.of(partition), 0, ALL).result();
    return requests.isEmpty() ? null : "requests are open: " + requests;
  }

  private String leftInRedis() {
    for (BucketId id : Sale.buckets(world.scenario())) {
      BucketRow row = world.ledger().bucket(id).result().orElseThrow();
      if (row.state().isEnded()) {
        if (world.redis().stock().hasAny(List.of(id)).result()) {
          return "P10: Redis still has something of " + row;
        }
        continue;
      }
      Snapshot seen = world.redis().stock().snapshot(id, List.of(), 0).result();
      boolean open = seen.code() == BucketCode.OK && seen.epoch() == row.epoch();
      if (!open || seen.unbookedCount() > 0 || seen.version() != row.version()) {
        return "Redis does not show " + row + " yet: " + seen;
      }
    }
    return null;
  }

  /** The orders of all sales. */
  public static List<Order> orders(World world) {
    return Sale.buckets(world.scenario()).stream()
        .map(id -> world.ledger().bucket(id).result().orElseThrow())
        .map(Settlement::inAllSales)
        .flatMap(row -> world.ledger().loadRows(row, Optional.empty(), ALL).result().stream())
        .map(row -> row.grant().token())
        .map(token -> world.ledger().orders(List.of(token)).result().get(token))
        .toList();
  }

  private static BucketRow inAllSales(BucketRow row) {
    return BucketRows.of(
        row.id(),
        row.partition(),
        row.allotted(),
        row.held(),
        row.sold(),
        row.epoch(),
        row.version(),
        row.state(),
        row.settings(),
        row.saleNo());
  }
}
