package io.sluice.grant;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.async.RateLimit;
import io.sluice.config.Config.ReservationConfig;
import io.sluice.grant.PlacedOrder.Accepted;
import io.sluice.grant.PlacedOrder.Refused;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.SaleLedger;
import io.sluice.metrics.Meters;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.Order;
import io.sluice.model.OrderNotes;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.sluice.order.EventJson;
import io.sluice.order.LoopStores;
import io.sluice.order.OrderCache;
import io.sluice.order.Orders;
import io.sluice.order.SkuCatalog;
import io.sluice.orderlog.Event;
import io.sluice.testkit.Placements;
import io.sluice.tracing.Traces;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One event loop of an instance with scripted stores, with SKU 1001 on sale. */
public final class Desk {
  public static final long SKU = 1001;
  public static final int PARTITIONS = 8;
  public static final long HEARTBEAT_AT_MS = 20_000;
  public static final int UNDER_WAY_MAX = 1_000;
  public static final int LAG_LIMIT = 10_000;

  private static final ReservationConfig CONFIG =
      new ReservationConfig(300, 2_000, 4_000, 500, 2_000, 0);

  public final ManualLoop time = new ManualLoop();
  public final ScriptedStock stock = new ScriptedStock();
  public final ScriptedLog log = new ScriptedLog();
  public final ScriptedLedger ledger = new ScriptedLedger();
  public final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  final OrderTokens tokens = new OrderTokens(new byte[16]);
  public final LoopStores stores = ledger.stores(partition -> stock.port(), log);
  public final SkuCatalog catalog = new SkuCatalog(ledger.skuPort(), time::now, false);

  /** Events made before this time, by the ledger's clock, are old. */
  public long youngFromMs;

  public final OrderCache cache =
      new OrderCache(PARTITIONS, time::now, (madeAtMs, than) -> madeAtMs >= youngFromMs);

  final Meters meters = new Meters(registry);

  /** The ledger as the backlog reads it, separate from the one that orders read. */
  public final ScriptedLedger fences = new ScriptedLedger();

  public final Orders orders = new Orders(stores, time.loop(), catalog, cache, CONFIG);

  /** The sales that the ledger has. */
  public final Map<String, SaleLedger.Seen> sales = new HashMap<>();

  public final SaleTallies tallies = new SaleTallies();
  public final Reservations reservations;

  public Desk() {
    this(1);
  }

  /** Without bookings past the log. */
  public Desk(int buckets) {
    this(buckets, 0, false);
  }

  public Desk(int buckets, int directPerS, boolean pastLogOverLimit) {
    this(buckets, directPerS, pastLogOverLimit, Traces.OFF);
  }

  public Desk(int buckets, int directPerS, boolean pastLogOverLimit, Traces traces) {
    ledger.add(SKU, buckets);
    Backlog backlog = new Backlog(log, fences.port(), PARTITIONS, LAG_LIMIT, time::now, meters);
    RateLimit budget = new RateLimit(directPerS, time::now);
    GrantRouter routes = new GrantRouter(log, backlog, budget, pastLogOverLimit, meters);
    Reservations.Admission admission =
        new Reservations.Admission(UNDER_WAY_MAX, 20, routes, backlog);
    reservations =
        new Reservations(
            stores,
            time.loop(),
            catalog,
            tokens,
            orders,
            new Borrowing(ledger.skuPort(), time.loop(), () -> {}),
            CONFIG,
            admission,
            saleId -> Future.succeededFuture(Optional.ofNullable(sales.get(saleId))),
            tallies,
            meters,
            traces);
  }

  /** The wish for one SKU, without a reference. */
  public static OrderWish wish(String userId, long skuId, int qty, @Nullable String requestKey) {
    return new OrderWish(userId, List.of(new OrderWish.Line(skuId, qty)), requestKey, null, false);
  }

  public Future<PlacedOrder> place(String userId) {
    return reservations.place(wish(userId, SKU, 1, null), SkuEntry.OPEN);
  }

  /** The SKU as the ledger has it. */
  public Sku sku() {
    return ledger.skus.get(SKU);
  }

  public OrderToken token(String userId) {
    int buckets = ledger.skus.get(SKU).buckets();
    return tokens.tokenFor(userId, BucketId.of(SKU, userId, buckets), null);
  }

  /** A buyer whose orders are assigned to this bucket. */
  public String buyerOf(int bucket) {
    int buckets = ledger.skus.get(SKU).buckets();
    for (int i = 0; ; i++) {
      if (BucketId.of(SKU, "buyer" + i, buckets).bucket() == bucket) {
        return "buyer" + i;
      }
    }
  }

  public Grant grant(String userId) {
    return Grants.of(token(userId), userId, 1, 3, 1, 10_000, 310_000);
  }

  public Order order(String userId, OrderStatus status, long version) {
    return new Order(
        grant(userId),
        new Order.Life(status, null, version, 0, 10_000 + version, OrderNotes.NONE),
        false);
  }

  public int partition(String userId) {
    return Placements.partitionOf(token(userId).bucketId(), PARTITIONS);
  }

  public void hear(Order order) {
    int partition = Placements.partitionOf(order.token().bucketId(), PARTITIONS);
    cache.heard(partition, EventJson.event(order));
  }

  /** An owner in this instance has left the order so, in a commit up to this offset. */
  public void commit(Order order, long term, long nextOffset) {
    int partition = Placements.partitionOf(order.token().bucketId(), PARTITIONS);
    cache.committed(new Fence(partition, term, nextOffset), List.of(order));
  }

  public void heartbeat(String userId, long term) {
    cache.heard(partition(userId), heartbeatOf(partition(userId), term));
  }

  public static Event heartbeatOf(int partition, @Nullable Long term) {
    JsonObject payload =
        new JsonObject()
            .put("type", "HEARTBEAT")
            .put("partition", partition)
            .put("term", term)
            .put("at", HEARTBEAT_AT_MS);
    return new Event("HEARTBEAT", "partition-" + partition, payload.encode());
  }

  public double count(String meter) {
    return registry.get(meter).counter().count();
  }

  /** The answer, which must already be there. */
  public static <T> T answer(Future<T> future) {
    assertThat(future).as("answered").matches(Future::isComplete);
    assertThat(future.cause()).as("failure").isNull();
    return future.result();
  }

  /** The refusal, which must already be there. */
  public static Refused refused(Future<PlacedOrder> placed) {
    assertThat(answer(placed)).isInstanceOf(Refused.class);
    return (Refused) placed.result();
  }

  public static Refusal refusal(Future<PlacedOrder> placed) {
    return refused(placed).refusal();
  }

  /** The yes, which must already be there. */
  public static Accepted accepted(Future<PlacedOrder> placed) {
    assertThat(answer(placed)).isInstanceOf(Accepted.class);
    return (Accepted) placed.result();
  }

  /** An event loop with other stores, without bookings past the log and without sales. */
  static Reservations on(
      LoopStores stores, ManualLoop time, int underWayMax, int lastUnits, Meters meters) {
    SkuCatalog catalog = new SkuCatalog(stores.skus(), time::now, false);
    OrderCache cache = new OrderCache(PARTITIONS, time::now, (madeAtMs, than) -> true);
    Ledger fences = new ScriptedLedger().port();
    Backlog backlog =
        new Backlog(stores.log(), fences, PARTITIONS, Integer.MAX_VALUE, time::now, meters);
    GrantRouter routes =
        new GrantRouter(stores.log(), backlog, new RateLimit(0, time::now), false, meters);
    return new Reservations(
        stores,
        time.loop(),
        catalog,
        new OrderTokens(new byte[16]),
        new Orders(stores, time.loop(), catalog, cache, CONFIG),
        new Borrowing(stores.skus(), time.loop(), () -> {}),
        CONFIG,
        new Reservations.Admission(underWayMax, lastUnits, routes, backlog),
        saleId -> Future.succeededFuture(Optional.empty()),
        new SaleTallies(),
        meters,
        Traces.OFF);
  }
}
