package io.sluice.owner;

import io.sluice.async.LoopContext;
import io.sluice.config.Config;
import io.sluice.ledger.Fence;
import io.sluice.ledger.InMemoryLedger;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.metrics.TestMeters;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.orderlog.InMemoryEvents;
import io.sluice.orderlog.InMemoryOrderLog;
import io.sluice.orderlog.InMemoryOrderLogConsumer;
import io.sluice.orderlog.OrderLogConsumer;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.InMemoryStock;
import io.sluice.stock.StockConnection;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockUnavailableException;
import io.sluice.testkit.ManualClock;
import io.sluice.testkit.Placements;
import io.sluice.testkit.Ports;
import io.sluice.tracing.Traces;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An instance with its supervisor, and a group that assigns partitions to it; the test moves all of
 * it.
 */
final class SupervisorScene {
  static final int PARTITIONS = 2;
  static final int PARTITION = 1;
  static final Duration RECONCILE_EVERY = Duration.ofSeconds(60);
  static final BucketId BUCKET = bucketOf(PARTITION);

  final ManualClock clock = new ManualClock();
  final ManualVertx vertx = new ManualVertx(clock);
  final InMemoryLedger ledger = new InMemoryLedger(PARTITIONS, clock);
  final InMemoryStock stock = new InMemoryStock(clock, "redis1");
  final InMemoryOrderLog log = new InMemoryOrderLog();

  /** Calls of the ledger, of Redis and of the consumers. */
  final StoreCalls calls = new StoreCalls();

  /** The consumers made so far, in order; each joins the group once. */
  final List<InMemoryOrderLogConsumer> consumers = new ArrayList<>();

  /** The consumers that have left the group. */
  final List<InMemoryOrderLogConsumer> closed = new ArrayList<>();

  int connectionsOpen;

  /** The first attempt of each connection. */
  Future<Void> connected = Future.succeededFuture();

  /** Whether the ledger still names the log that is read. */
  Future<Void> sameLog = Future.succeededFuture();

  boolean reachesLedger = true;
  final OwnerSupervisor unit =
      new OwnerSupervisor(
          this::newConsumer,
          new OwnerFactory(
              calls.before(Ledger.class, ledger),
              ledger.direct(),
              () -> sameLog,
              this::connection,
              log,
              new InMemoryEvents(),
              new BookingRounds(loop(), calls.before(Ledger.class, ledger), 1, () -> false),
              Future::succeededFuture,
              () -> false,
              (fence, orders) -> {},
              Config.defaults().reservation(),
              Config.defaults().sale(),
              new TestMeters(PARTITIONS, clock).owners(),
              Traces.OFF),
          () -> reachesLedger ? Future.succeededFuture() : Future.failedFuture("away"),
          Config.defaults().reservation(),
          RECONCILE_EVERY,
          () -> Duration.between(Instant.EPOCH, clock.instant()).toNanos());

  private final FailedPasses failedPasses = new FailedPasses();
  private final OrderTokens tokens = new OrderTokens(new byte[16]);
  private String deployed = "";

  /** Rounds begin at once. */
  private LoopContext loop() {
    AtomicLong looked = new AtomicLong();
    return new LoopContext(
        () ->
            TimeUnit.MILLISECONDS.toNanos(clock.millis())
                + looked.incrementAndGet() * BookingRounds.LATER.toNanos(),
        never -> Promise.<Void>promise().future(),
        Runnable::run);
  }

  /** An instance that has joined the group, and has the partition. */
  static SupervisorScene withPartition() {
    SupervisorScene scene = new SupervisorScene();
    scene.beginWithPartition();
    return scene;
  }

  void begin() {
    deployed = vertx.deploy(unit);
  }

  /** Joins the group, which assigns the partition to it. */
  void beginWithPartition() {
    begin();
    assign(PARTITION);
  }

  Future<Void> end() {
    return vertx.undeploy(deployed);
  }

  InMemoryOrderLogConsumer consumer() {
    return consumers.get(consumers.size() - 1);
  }

  /** Assigns this partition to the current consumer. */
  void assign(int partition) {
    consumer().assign(Set.of(partition));
    vertx.run();
  }

  void revoke(int partition) {
    consumer().revoke(Set.of(partition));
    vertx.run();
  }

  /** Returns the number of delivered records. */
  int poll() {
    int delivered = consumer().poll(10_000);
    vertx.run();
    return delivered;
  }

  void advance(Duration by) {
    vertx.advance(by);
    failedPasses.expectNone();
  }

  void advance(long seconds) {
    advance(Duration.ofSeconds(seconds));
  }

  /** Sets whether the group has other members; initially it has none. */
  void others(boolean are) {
    calls.answer("hasOthers", are);
  }

  void redisAway(boolean away) {
    if (away) {
      calls.fail("history", new StockUnavailableException("away", null));
    } else {
      calls.instead.remove("history");
    }
  }

  /** Opens a SKU and loads its bucket. */
  void sell(long units) {
    SkuSettings settings = new SkuSettings(300, 0, 0, 0);
    ledger.put(new NewSku(BUCKET.skuId(), units, 1, Sku.Mode.FAST, settings));
    advance(5);
  }

  /** Opens a SKU, and books an order of one unit. */
  void sellTo(String user) {
    sell(3);
    placed(user);
    poll();
  }

  /** Appends payments of an order that does not exist. */
  void paidByNobody(int times) {
    Command payment = new Command.Confirm(token("nobody"));
    log.append(PARTITION, Collections.nCopies(times, payment));
  }

  /** Reserves a unit in Redis only. */
  GrantOutcome reserve(String user) {
    StockStore.Request request = new StockStore.Request(token(user), user, 1);
    return stock.reserve(BUCKET, List.of(request)).result().outcomes().get(0);
  }

  /** Reserves a unit and appends the grant to the log. */
  Grant placed(String user) {
    Grant grant = ((GrantOutcome.Granted) reserve(user)).grant();
    log.append(PARTITION, List.of(new Command.Reserve(grant, null)));
    return grant;
  }

  Fence fence(int partition) {
    return ledger.fences().result().get(partition);
  }

  Order order(String user) {
    return ledger.orders(List.of(token(user))).result().get(token(user));
  }

  boolean isBooked(String user) {
    return ledger.orders(List.of(token(user))).result().containsKey(token(user));
  }

  /** The number of take-overs of partitions. */
  int takeOvers() {
    return calls.of("takeOver").size();
  }

  /** Whether an owner is running: it reads its fence from the ledger each second. */
  boolean hasOwner() {
    int before = calls.of("glance").size();
    advance(2);
    return calls.of("glance").size() > before;
  }

  private OrderToken token(String user) {
    return tokens.tokenFor(user, BUCKET, null);
  }

  private static BucketId bucketOf(int partition) {
    long skuId = 1001;
    while (Placements.partitionOf(new BucketId(skuId, 0), PARTITIONS) != partition) {
      skuId++;
    }
    return new BucketId(skuId, 0);
  }

  private OrderLogConsumer newConsumer() {
    InMemoryOrderLogConsumer made = new InMemoryOrderLogConsumer(log);
    consumers.add(made);
    OrderLogConsumer noted = calls.before(OrderLogConsumer.class, made);
    return Ports.answering(
        OrderLogConsumer.class,
        (self, method, arguments) -> {
          if (method.getName().equals("close")) {
            closed.add(made);
          }
          return method.invoke(noted, arguments);
        });
  }

  private StockConnection connection() {
    StockStore noted = calls.before(StockStore.class, stock);
    return Ports.answering(
        StockConnection.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "start", "startFor" -> opened(1).compose(now -> connected);
              case "close" -> opened(-1);
              case "at" -> noted;
              case "answers" -> noted.history();
              default -> throw new AssertionError("Expected another call than " + method);
            });
  }

  private Future<Void> opened(int count) {
    connectionsOpen += count;
    return Future.succeededFuture();
  }
}
