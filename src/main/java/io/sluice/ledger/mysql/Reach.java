package io.sluice.ledger.mysql;

import io.sluice.ledger.rules.BatchChanges.Replayed;
import io.sluice.ledger.rules.BatchSnapshot;
import io.sluice.model.Cart;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rows that a batch locks in addition to the buckets that its commands name. A transaction that
 * finds that it needs more is undone, and runs again with that.
 *
 * @param lines of orders that the commands change
 * @param skuIds of SKUs whose buckets lack units for their grants: all their buckets are locked, so
 *     that units may be gathered
 */
record Reach(Set<OrderToken> lines, Set<Long> skuIds) {
  static final Reach NONE = new Reach(Set.of(), Set.of());

  static Reach ofLines(Set<OrderToken> lines) {
    return new Reach(Set.copyOf(lines), Set.of());
  }

  /** The rows that a batch needs and has not locked. */
  static Reach missing(Replayed replayed) {
    BatchSnapshot snapshot = replayed.snapshot();
    Set<Long> skuIds = new TreeSet<>();
    replayed.changes().full().forEach(bucket -> skuIds.add(bucket.skuId()));
    skuIds.removeAll(snapshot.whole());
    return new Reach(snapshot.missingLines(), skuIds);
  }

  boolean isNone() {
    return lines.isEmpty() && skuIds.isEmpty();
  }

  boolean has(Reach other) {
    return lines.containsAll(other.lines) && skuIds.containsAll(other.skuIds);
  }

  Reach with(Reach other) {
    Set<OrderToken> allLines = new HashSet<>(lines);
    allLines.addAll(other.lines);
    Set<Long> all = new TreeSet<>(skuIds);
    all.addAll(other.skuIds);
    return new Reach(allLines, all);
  }

  /** The SKUs whose totals these commands may lower, because they give units back. */
  Set<Long> refunded(List<Command> commands) {
    return withLines(BatchSnapshot.refunded(commands));
  }

  /** Those of them whose totals they lower also in their current sale. */
  Set<Long> withdrawn(List<Command> commands) {
    return withLines(BatchSnapshot.withdrawn(commands));
  }

  private Set<Long> withLines(Set<Long> refunded) {
    if (!refunded.isEmpty()) {
      lines.forEach(line -> refunded.add(line.skuId()));
    }
    return refunded;
  }

  /**
   * The findings of a transaction about orders of several SKUs, and of SKUs whose buckets lack
   * units.
   *
   * @param missing what it needs in addition to its locks; it was undone if there is any
   * @param carts by each token of their lines
   */
  record SeenCarts(Reach missing, Map<OrderToken, Cart> carts) {
    static final SeenCarts NONE = new SeenCarts(Reach.NONE, Map.of());

    static SeenCarts in(Replayed replayed) {
      Map<OrderToken, Cart> carts = new HashMap<>();
      replayed.snapshot().orders().values().forEach(order -> add(order, carts));
      replayed.changes().inserted().forEach(order -> add(order, carts));
      Reach missing = Reach.missing(replayed);
      return carts.isEmpty() && missing.isNone() ? NONE : new SeenCarts(missing, carts);
    }

    private static void add(Order order, Map<OrderToken, Cart> carts) {
      if (order.cart() != null) {
        carts.put(order.token(), order.cart());
      }
    }
  }
}
