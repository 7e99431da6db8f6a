package io.sluice.grant;

import io.sluice.ledger.BucketRow;
import io.sluice.ledger.DirectLedger;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.Booked;
import io.sluice.ledger.Move.Borrow;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.SkuLedger;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Placement;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.model.Skus;
import io.sluice.order.LoopStores;
import io.sluice.orderlog.OrderLog;
import io.sluice.stock.Stock;
import io.sluice.testkit.Ports;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A ledger with the test's data that answers at once unless held. */
public final class ScriptedLedger {
  public final Map<Long, Sku> skus = new HashMap<>();
  public final Map<OrderToken, Order> orders = new HashMap<>();
  final Map<Integer, Fence> fences = new HashMap<>();
  public final List<Collection<OrderToken>> reads = new ArrayList<>();
  public final List<Long> skuReads = new ArrayList<>();

  /** The requested SKUs of each query. */
  public final List<List<Long>> skuQueries = new ArrayList<>();

  public final List<Long> pageReads = new ArrayList<>();

  /** Delays, or fails, the answers of pages of SKUs. */
  public Future<Void> pages = Future.succeededFuture();

  public final List<Booking> bookings = new ArrayList<>();
  public final List<String> requests = new ArrayList<>();

  /** The requests for units of other buckets. */
  public final List<Borrow> borrows = new ArrayList<>();

  public List<BucketRow> buckets = List.of();
  public final List<List<Long>> bucketQueries = new ArrayList<>();
  public int fenceReads;

  /**
   * Methods of the port of SKUs that sell in the ledger alone; a test gives those that it needs.
   */
  public Object direct = new Object();

  public boolean down;
  public Runnable afterFences = () -> {};
  private @Nullable Promise<Void> gate;

  /** The stores of an event loop on this ledger. */
  public LoopStores stores(Stock stock, OrderLog log) {
    return new LoopStores(stock, log, port(), skuPort(), directPort());
  }

  /** Whether every instance is of each level. */
  public Future<Boolean> raised = Future.succeededFuture(true);

  /** How often it was asked to raise its level. */
  public int raises;

  Future<Boolean> raise(int level) {
    raises++;
    return raised;
  }

  Future<Set<BucketId>> borrow(List<Borrow> asked) {
    borrows.addAll(asked);
    return Future.succeededFuture(Set.of());
  }

  /** A booking past the log whose outcome is open. */
  public record Booking(List<Grant> grants, Promise<Booked> outcome) {
    public List<String> userIds() {
      return grants.stream().map(Grant::userId).toList();
    }

    /** Completes it: committed, with all orders PENDING. */
    public void commit() {
      commit(OrderStatus.PENDING, false);
    }

    public void commit(OrderStatus status, boolean full) {
      Map<OrderToken, Order> orders = new HashMap<>();
      grants.forEach(
          grant -> orders.put(grant.token(), Order.reserved(grant).changed(status, null, 20_000)));
      outcome.complete(new Booked(orders, full));
    }
  }

  public Ledger port() {
    return Ports.partly(Ledger.class, this);
  }

  public DirectLedger directPort() {
    return Ports.ofWhatIsSet(DirectLedger.class, () -> direct);
  }

  public SkuLedger skuPort() {
    return Ports.partly(SkuLedger.class, this);
  }

  public void add(long skuId, int buckets) {
    add(skuId, buckets, false);
  }

  public void remove(long skuId) {
    skus.remove(skuId);
  }

  /** From now on orders of this SKU, which exists, need a ticket. */
  public void demandTicket(long skuId) {
    add(skuId, skus.get(skuId).buckets(), true);
  }

  private void add(long skuId, int buckets, boolean ticket) {
    skus.put(skuId, Skus.open(skuId, 100, buckets, new SkuSettings(300, 0, 0, 0, ticket)));
  }

  /** All buckets of this SKU, which exists, are in this partition from now on. */
  public void move(long skuId, int partition) {
    Sku sku = skus.get(skuId);
    skus.put(
        skuId,
        Skus.placed(sku, sku.mode(), new Placement(Collections.nCopies(sku.buckets(), partition))));
  }

  public void put(Order order) {
    orders.put(order.token(), order);
  }

  public void passed(int partition, long nextOffset) {
    fences.put(partition, new Fence(partition, 1, nextOffset));
  }

  /** Holds answers back until {@link #release}; they are read at that time. */
  public void hold() {
    gate = Promise.promise();
  }

  public void release() {
    Promise<Void> held = gate;
    gate = null;
    if (held != null) {
      held.complete();
    }
  }

  Future<Map<Long, Sku>> skus(Collection<Long> skuIds) {
    skuReads.addAll(skuIds);
    skuQueries.add(List.copyOf(skuIds));
    return answer()
        .map(
            go -> {
              Map<Long, Sku> found = new HashMap<>(skus);
              found.keySet().retainAll(skuIds);
              return found;
            });
  }

  Future<List<Sku>> skus(long afterSkuId, int limit) {
    pageReads.add(afterSkuId);
    return pages.compose(go -> answer()).map(go -> page(afterSkuId, limit));
  }

  private List<Sku> page(long afterSkuId, int limit) {
    return skus.values().stream()
        .filter(sku -> sku.skuId() > afterSkuId)
        .sorted(Comparator.comparing(Sku::skuId))
        .limit(limit)
        .toList();
  }

  Future<Map<OrderToken, Order>> orders(Collection<OrderToken> tokens) {
    reads.add(tokens);
    return answer()
        .map(
            go -> {
              Map<OrderToken, Order> found = new HashMap<>(orders);
              found.keySet().retainAll(tokens);
              return found;
            });
  }

  Future<Map<Integer, Fence>> fences() {
    fenceReads++;
    return answer()
        .map(
            go -> {
              Map<Integer, Fence> now = Map.copyOf(fences);
              afterFences.run();
              return now;
            });
  }

  Future<Booked> book(Supplier<List<Grant>> grants) {
    Booking booking = new Booking(List.copyOf(grants.get()), Promise.promise());
    bookings.add(booking);
    return booking.outcome().future();
  }

  Future<Long> request(RequestKind kind, BucketId bucket) {
    requests.add(kind + " " + bucket);
    return Future.succeededFuture(1L);
  }

  Future<Map<Long, List<BucketRow>>> bucketsOf(Collection<Long> skuIds) {
    bucketQueries.add(List.copyOf(skuIds));
    return answer()
        .map(
            go ->
                buckets.stream()
                    .filter(row -> skuIds.contains(row.id().skuId()))
                    .collect(Collectors.groupingBy(row -> row.id().skuId())));
  }

  Future<Optional<BucketRow>> bucket(BucketId id) {
    return answer().map(go -> buckets.stream().filter(row -> row.id().equals(id)).findFirst());
  }

  Future<Long> nowMs() {
    return answer().map(20_000L);
  }

  private Future<Void> answer() {
    Future<Void> open = gate == null ? Future.succeededFuture() : gate.future();
    return open.compose(
        go -> down ? Future.failedFuture("database is down") : Future.succeededFuture());
  }
}
