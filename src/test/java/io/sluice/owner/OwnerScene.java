package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.async.LoopContext;
import io.sluice.async.LoopContext.Timers;
import io.sluice.config.Config;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Fence;
import io.sluice.ledger.InMemoryLedger;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.ledger.rules.OutboxList;
import io.sluice.metrics.TestMeters;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.orderlog.EventPublisher;
import io.sluice.orderlog.InMemoryEvents;
import io.sluice.orderlog.InMemoryOrderLog;
import io.sluice.orderlog.InMemoryOrderLogConsumer;
import io.sluice.orderlog.LogBatch;
import io.sluice.orderlog.OrderLog;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.InMemoryStock;
import io.sluice.stock.Stock;
import io.sluice.stock.StockStore;
import io.sluice.testkit.ManualClock;
import io.sluice.tracing.Traces;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One partition, one bucket, its owner, and stores without threads; the test moves all of it. */
public final class OwnerScene extends KeptPartitions {
  public static final int PARTITION = 0;
  public static final BucketId BUCKET = new BucketId(1001, 0);
  private static final Config CONFIG = Config.defaults();

  private record Delay(Instant due, Promise<Void> promise) {}

  public final ManualClock clock = new ManualClock();
  public final InMemoryLedger ledger;
  public final InMemoryStock stock = new InMemoryStock(clock, "redis1");

  public StockStore looked = stock;
  public final TestMeters meters = new TestMeters(1, clock);
  public final InMemoryOrderLog log = new InMemoryOrderLog();
  public final InMemoryEvents events = new InMemoryEvents();
  private final InMemoryOrderLogConsumer consumer = new InMemoryOrderLogConsumer(log);
  private final OrderTokens tokens = new OrderTokens(new byte[16]);
  private final List<Delay> delays = new ArrayList<>();
  public final StoreCalls calls = new StoreCalls();
  private final FailedPasses failedPasses = new FailedPasses();

  public Traces traces = Traces.OFF;
  public KnownFences known = new KnownFences();
  public PartitionOwner owner;

  /** Whether grants have priority. */
  public boolean isStampede;

  private long nanos;
  private BookingRounds rounds;
  private int restocks;
  public final WatchedLedger watched;
  public boolean lost;

  /** What its commits have told, and the fence after the last of them. */
  public final Map<OrderToken, Order> committed = new HashMap<>();

  public Fence committedUpTo;

  /** What an owner has whose pauses do not end, and nobody measures. */
  static OwnerContext context(
      Ownership ownership, Ledger ledger, StockStore stock, OrderLog log, EventPublisher events) {
    Timers never = delay -> Promise.<Void>promise().future();
    return OwnerContext.of(
        ownership, ledger, stock, log, events, never, TestMeters.ofOwner(), Traces.OFF);
  }

  /** A SKU with this stock, its bucket loaded, and its owner reading the log. */
  public static OwnerScene withStock(long units) {
    OwnerScene scene = new OwnerScene(units, 300, 0);
    scene.settle();
    return scene;
  }

  public OwnerScene(long units, long paymentWindowS, int limit) {
    this(1, units, paymentWindowS, limit);
  }

  /** One of two partitions. The first sale of {@link #BUCKET} is in it. */
  static OwnerScene besideAnother(long units) {
    OwnerScene scene = new OwnerScene(2, units, 300, 0);
    scene.settle();
    return scene;
  }

  private OwnerScene(int partitions, long units, long paymentWindowS, int limit) {
    ledger = new InMemoryLedger(partitions, clock);
    watched = new WatchedLedger(ledger);
    SkuSettings settings = new SkuSettings(paymentWindowS, limit, 0, 0);
    ledger.put(new NewSku(BUCKET.skuId(), units, 1, Sku.Mode.FAST, settings));
    consumer.start(this);
    consumer.assign(Set.of(PARTITION));
    takeOver();
  }

  /** Another SKU, with this many buckets of one unit each, all of them loaded. */
  public void addSku(int buckets) {
    long skuId = BUCKET.skuId() + 1;
    ledger.put(new NewSku(skuId, buckets, buckets, Sku.Mode.FAST, new SkuSettings(300, 0, 0, 0)));
    settle();
  }

  /** Makes the SKU, which was deleted, again with so many units. */
  public void addAgain(long units) {
    ledger.put(new NewSku(BUCKET.skuId(), units, 1, Sku.Mode.FAST, new SkuSettings(300, 0, 0, 0)));
  }

  /** Restocks the SKU, under a new request key each time. */
  public void restock(long units) {
    assertThat(ledger.restock(BUCKET.skuId(), "restock-" + restocks++, units).result())
        .isNotInstanceOf(RestockResult.Refused.class);
  }

  /** Each round begins at once. */
  private long nanoTime() {
    nanos += BookingRounds.LATER.toNanos();
    return nanos;
  }

  /** Replaces the owner by a new one. */
  public void takeOver() {
    Fence fence = ledger.takeOver(PARTITION, known.termSeen(PARTITION)).result();
    Timers timers =
        delay -> {
          Promise<Void> promise = Promise.promise();
          delays.add(new Delay(clock.instant().plus(delay), promise));
          return promise.future();
        };
    Ledger called = calls.before(Ledger.class, watched.port());
    LoopContext loop = new LoopContext(this::nanoTime, timers, Runnable::run);
    rounds = new BookingRounds(loop, called, 1, () -> isStampede);
    OwnerContext context =
        OwnerContext.of(
            new Ownership(fence, known, () -> lost = true),
            called,
            calls.before(StockStore.class, stock),
            calls.before(OrderLog.class, log),
            calls.before(EventPublisher.class, events),
            timers,
            meters.owner(PARTITION),
            traces);
    owner = new PartitionOwner(context, CONFIG.reservation(), CONFIG.sale(), this);
    consumer.startAt(PARTITION, fence.nextOffset());
  }

  /** Lets the owner serve the requests of other instances. */
  public void serveRequests() {
    ledger.openRequests(List.of(PARTITION), 0, 10_000).result().forEach(owner::serve);
  }

  /** The last report of the comparison of Redis with the ledger. */
  public JsonObject reconcileReport() {
    return new JsonObject(ledger.reports().result().get(PARTITION));
  }

  /** Reads the log, runs all duties, and lets their pauses pass. */
  public void settle() {
    for (int round = 0; round < 20; round++) {
      work();
      advance(Duration.ofMillis(500));
    }
  }

  /** Reads the log, and wakes each duty once. */
  public void work() {
    consumer.poll(100);
    owner.watchBuckets();
    owner.scanTimeouts();
    owner.relayOutbox();
    consumer.poll(100);
    failedPasses.expectNone();
  }

  /** Brings the owner what is in the log. */
  void poll() {
    consumer.poll(100);
  }

  /** Moves the clock while the owner keeps working, so that no outage is seen. */
  public void pass(Duration time) {
    for (Duration left = time; !left.isZero(); ) {
      Duration step = left.compareTo(Duration.ofSeconds(10)) > 0 ? Duration.ofSeconds(10) : left;
      advance(step);
      work();
      left = left.minus(step);
    }
  }

  public void advance(Duration by) {
    clock.advance(by);
    List<Delay> due =
        delays.stream().filter(delay -> !delay.due().isAfter(clock.instant())).toList();
    delays.removeAll(due);
    due.forEach(delay -> delay.promise().complete());
  }

  /** As the ledger has it. */
  public Fence fence() {
    return ledger.glance(PARTITION).result().fence().orElseThrow();
  }

  public GrantOutcome reserve(String user, int qty) {
    StockStore.Request request = new StockStore.Request(token(user), user, qty);
    return stock.reserve(BUCKET, List.of(request)).result().outcomes().get(0);
  }

  /** A grant in Redis only. */
  public Grant grant(String user, int qty) {
    return ((GrantOutcome.Granted) reserve(user, qty)).grant();
  }

  /** A grant that is in the log. */
  public Grant placed(String user, int qty) {
    Grant grant = grant(user, qty);
    append(new Command.Reserve(grant, null));
    return grant;
  }

  public Future<Long> append(Command... commands) {
    return log.append(PARTITION, List.of(commands));
  }

  public OrderToken token(String user) {
    return tokens.tokenFor(user, BUCKET, null);
  }

  /** The order in the ledger; fails where there is none. */
  public Order order(String user) {
    assertThat(isBooked(user)).as("an order of %s", user).isTrue();
    return ledger.orders(List.of(token(user))).result().get(token(user));
  }

  public boolean isBooked(String user) {
    return ledger.orders(List.of(token(user))).result().containsKey(token(user));
  }

  public StockStore.Snapshot redis() {
    return stock.snapshot(BUCKET, List.of(), 0).result();
  }

  public BucketRow row() {
    return ledger.bucket(BUCKET).result().orElseThrow();
  }

  /** The entries of what stands in the outbox. */
  public List<String> pending(OutboxKind kind) {
    return OutboxList.allEntries(ledger.pending(PARTITION, kind, 0, 10_000).result()).toList();
  }

  public List<String> eventTypes() {
    return events.published().stream()
        .map(sent -> sent.event().type())
        .filter(type -> !type.equals("HEARTBEAT"))
        .toList();
  }

  public List<JsonObject> heartbeats() {
    return events.published().stream()
        .filter(published -> published.event().type().equals("HEARTBEAT"))
        .map(published -> new JsonObject(published.event().payload()))
        .toList();
  }

  @Override
  public void polled(LogBatch batch) {
    owner.polled(batch);
  }

  @Override
  public BookingRounds rounds() {
    return rounds;
  }

  @Override
  public Future<Void> eventsGathered() {
    return Future.succeededFuture();
  }

  @Override
  public boolean isStampede() {
    return isStampede;
  }

  @Override
  public Stock stocks() {
    return partition -> looked;
  }

  @Override
  public void committed(Fence upTo, Collection<Order> orders) {
    committedUpTo = upTo;
    orders.forEach(order -> committed.put(order.token(), order));
  }

  @Override
  public void moved(Set<Integer> partitions) {
    owner.raiseBuckets();
  }
}
