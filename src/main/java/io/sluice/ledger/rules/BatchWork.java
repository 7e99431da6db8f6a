package io.sluice.ledger.rules;

import io.sluice.ledger.StockTxn;
import io.sluice.ledger.rules.BatchChanges.Change;
import io.sluice.ledger.rules.BatchChanges.DeadCause;
import io.sluice.ledger.rules.BatchChanges.OrderMove;
import io.sluice.ledger.rules.BatchChanges.OrderMove.Kind;
import io.sluice.ledger.rules.BatchChanges.OrderNote;
import io.sluice.ledger.rules.BatchChanges.Returned;
import io.sluice.ledger.rules.BatchSnapshot.Bucket;
import io.sluice.ledger.rules.OrderEvent.OrderNotice;
import io.sluice.ledger.rules.OutboxPayload.OutboxDraft;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The changes of a batch so far: each command sees the effects of those before it. */
final class BatchWork {
  private final BatchSnapshot snapshot;
  private final Map<BucketId, Bucket> buckets;
  private final Map<OrderToken, Order> orders;

  // The orders that commands changed, in the order of their first change.
  private final Set<OrderToken> touched = new LinkedHashSet<>();
  private final List<OrderMove> moves = new ArrayList<>();
  private final List<OrderNote> notes = new ArrayList<>();
  private final Map<BucketId, Long> gathered = new TreeMap<>();
  private final List<Returned> returned = new ArrayList<>();
  private final List<OutboxDraft> outbox = new ArrayList<>();
  private final Map<DeadCause, Integer> dead = new EnumMap<>(DeadCause.class);

  BatchWork(BatchSnapshot snapshot) {
    this.snapshot = snapshot;
    this.buckets = new HashMap<>(snapshot.buckets());
    this.orders = new HashMap<>(snapshot.orders());
  }

  long nowMs() {
    return snapshot.nowMs();
  }

  @Nullable Bucket bucket(BucketId id) {
    return buckets.get(id);
  }

  void put(Bucket bucket) {
    buckets.put(bucket.id(), bucket);
  }

  /** The buckets of a SKU, in their order, as far as the batch has them. */
  Map<BucketId, Bucket> bucketsOf(long skuId) {
    Map<BucketId, Bucket> found = new TreeMap<>();
    buckets.forEach(
        (id, bucket) -> {
          if (id.skuId() == skuId) {
            found.put(id, bucket);
          }
        });
    return found;
  }

  /** Units go from one bucket of a SKU to another, in the ledger alone. */
  void gather(BucketId from, BucketId to, long units) {
    allot(from, -units);
    allot(to, units);
  }

  private void allot(BucketId id, long units) {
    buckets.computeIfPresent(id, (same, bucket) -> bucket.allotted(units));
    gathered.merge(id, units, Long::sum);
  }

  /** A new order, or one that has changed; {@link #tell} notifies listeners. */
  void put(Order order) {
    orders.put(order.token(), order);
    touched.add(order.token());
  }

  /** The orders of all lines of this line's order, the lead's first; empty if there is none. */
  List<Order> linesOf(OrderToken token) {
    Order order = orders.get(token);
    if (order == null || order.cart() == null) {
      return order == null ? List.of() : List.of(order);
    }
    return order.lineTokens().stream()
        .map(
            line ->
                Objects.requireNonNull(
                    orders.get(line), () -> "Expected line " + line + ", but it was not read"))
        .toList();
  }

  @Nullable Order order(OrderToken token) {
    return orders.get(token);
  }

  Collection<Order> orders() {
    return orders.values();
  }

  /** Moves units from and to the counters of the order's bucket. */
  void count(Order order, long heldUnits, long soldUnits) {
    buckets.computeIfPresent(
        order.token().bucketId(), (id, bucket) -> bucket.plus(heldUnits, soldUnits));
  }

  /** Whether an order is of the current sale of its SKU. */
  boolean isCurrent(Order order) {
    Bucket bucket = buckets.get(order.token().bucketId());
    return bucket != null && bucket.isCurrent(order.epoch());
  }

  /**
   * Units of an order are free again. Those of the current sale are put back on sale, and Redis is
   * told, unless they are withdrawn; those of an earlier one leave the stock, and Redis knows
   * nothing of their order.
   *
   * @param after the order, or the line, after the move that has freed them
   * @param restock whether they may be sold again; else they are withdrawn from the current sale
   * @param dueMs as in {@link OutboxPayload.Release}
   */
  void free(Order after, int units, boolean restock, long dueMs) {
    Bucket bucket = buckets.get(after.token().bucketId());
    if (bucket == null || bucket.isCurrent(after.epoch())) {
      release(OutboxPayload.Release.of(after, dueMs));
    }
    if (bucket != null && !bucket.isCurrent(after.epoch())) {
      leave(after, bucket.without(units), units, restock);
    } else if (bucket != null && !restock) {
      leave(after, bucket.withdrawing(units), units, false);
    }
  }

  private void leave(Order after, Bucket bucket, int units, boolean restock) {
    put(bucket);
    returned.add(
        new Returned(
            StockTxn.restock(
                RestockPlan.returnToken(after.token(), after.version()), bucket.id(), -units),
            after.saleNo()));
    outbox.add(
        OutboxPayload.event(
            snapshot.partition(),
            ofSale(
                new OrderNotice(EventType.STOCK_RETURNED, whole(after), String.valueOf(units))
                    .ofLine(after)
                    .restocking(restock)),
            nowMs()));
  }

  /**
   * Records an event of an order, or of a line of it; {@link #tell} notifies listeners.
   *
   * @param reference of a payment, or the id of a refund
   */
  void move(Order after, Kind kind, int units, @Nullable String reference) {
    move(new OrderMove(after, kind, units, reference, false));
  }

  void move(OrderMove move) {
    moves.add(move);
    put(move.after());
  }

  /**
   * Records a note of an order, or of a line of it.
   *
   * @param reference as in {@link #move}
   */
  void note(Order after, OrderNote.Kind kind, @Nullable String reference, int units) {
    notes.add(new OrderNote(after, kind, reference, units));
    put(after);
  }

  /** Tells listeners of an order as it is now. */
  void tell(EventType type, OrderToken token) {
    tell(type, token, null);
  }

  /**
   * Tells listeners of an order as it is now, with all its lines.
   *
   * @param subject the payment that this is about, or null
   */
  void tell(EventType type, OrderToken token, @Nullable String subject) {
    event(new OrderNotice(type, Order.whole(linesOf(token)), subject));
  }

  /**
   * The same of one of its lines.
   *
   * @param refundId that this is about, or null
   */
  void tellOfLine(EventType type, OrderToken token, @Nullable String refundId) {
    Order line = Objects.requireNonNull(orders.get(token));
    event(new OrderNotice(type, whole(line), refundId).ofLine(line));
  }

  private Order whole(Order line) {
    return Order.whole(linesOf(line.token()));
  }

  /** An event that changes no order. */
  void event(EventType type, Order order) {
    event(new OrderNotice(type, order, null));
  }

  private void event(OrderNotice notice) {
    int partition = snapshot.partitionOf(notice.order().token().bucketId());
    outbox.add(OutboxPayload.event(partition, ofSale(notice), nowMs()));
  }

  private OrderNotice ofSale(OrderNotice notice) {
    return notice.ofSale(snapshot.saleIdOf(notice.order()));
  }

  void release(OutboxPayload.Release release) {
    int partition = snapshot.partitionOf(release.token().bucketId());
    outbox.add(OutboxPayload.release(partition, release));
  }

  void dead(DeadCause cause, Command.Reserve reserve, String expected) {
    dead(cause, OutboxPayload.rawOf(reserve), "Expected " + expected + ", but got another");
  }

  void dead(DeadCause cause, String raw, String why) {
    dead.merge(cause, 1, Integer::sum);
    outbox.add(OutboxPayload.dead(snapshot.partition(), raw, why, nowMs()));
  }

  // ---- the result

  List<Order> inserted() {
    return touched.stream()
        .filter(token -> !snapshot.orders().containsKey(token))
        .map(this::changed)
        .toList();
  }

  List<Change<Order>> updated() {
    List<Change<Order>> updated = new ArrayList<>();
    for (OrderToken token : touched) {
      Order before = snapshot.orders().get(token);
      if (before != null) {
        updated.add(new Change<>(before, changed(token)));
      }
    }
    return updated;
  }

  private Order changed(OrderToken token) {
    return Objects.requireNonNull(orders.get(token));
  }

  List<Change<Bucket>> counted() {
    return BatchChanges.between(snapshot.buckets(), buckets);
  }

  List<OrderMove> moves() {
    return moves;
  }

  List<OrderNote> notes() {
    return notes;
  }

  /** Without those whose units have come and gone; their heads are informed. */
  Map<BucketId, Long> gathered() {
    gathered.values().removeIf(units -> units == 0);
    gathered
        .keySet()
        .forEach(id -> outbox.add(OutboxPayload.ceiling(snapshot.partitionOf(id), id)));
    return gathered;
  }

  List<Returned> returned() {
    return List.copyOf(returned);
  }

  List<OutboxDraft> outbox() {
    return outbox;
  }

  Map<DeadCause, Integer> deadByCause() {
    return Map.copyOf(dead);
  }
}
