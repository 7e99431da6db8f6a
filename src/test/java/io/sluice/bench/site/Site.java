package io.sluice.bench.site;

import io.sluice.bench.BenchException;
import io.sluice.bench.Plan;
import io.sluice.bench.load.Heard;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.load.OpenLoop;
import io.sluice.bench.load.Wrk;
import io.sluice.testkit.kafka.Topics;
import io.sluice.testkit.mysql.LedgerReader;
import io.sluice.testkit.process.ChildJvm;
import io.sluice.testkit.process.FreePort;
import io.sluice.testkit.process.StartListener;
import io.sluice.testkit.redis.StockReader;
import io.sluice.testkit.server.Backends;
import io.sluice.testkit.server.ServerOptions;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.HttpCaller;
import io.sluice.testkit.site.SaleBodies;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * Everything that runs during a measurement: the servers, one instance of the service with its
 * owners, bare servers, and the generator.
 */
public final class Site implements AutoCloseable {
  public static final int PARTITIONS = 8;

  /** A time to pay that no measurement sees the end of, in seconds. */
  public static final long A_DAY_S = 86_400;

  static final String ORDERS = "bench-orders";
  static final String EVENTS = "bench-events";

  private static final Duration POLL = Duration.ofMillis(50);
  private static final Duration DRAIN_LIMIT = Duration.ofMinutes(10);
  private static final Duration START_LIMIT = Duration.ofMinutes(4);
  private static final Duration CALL_LIMIT = Duration.ofSeconds(60);
  private static final int WARM_UP_CONNECTIONS = 8;
  private static final int PUTS_AT_ONCE = 64;
  private static final int UNAVAILABLE = 503;

  /** Large enough to keep a ledger of a million orders in memory, as a production server would. */
  private static final ServerOptions LARGE_DATABASE =
      ServerOptions.none()
          .withMysql("innodb-buffer-pool-size", "2G")
          .withMysql("innodb-log-file-size", "1G");

  /** Ten digits, so that all requests have the same length, and above every id used elsewhere. */
  private static final long FIRST_SKU = 2_000_000_000L;

  private final Plan plan;
  private final Build build;
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setUseDaemonThread(true));
  private final HttpCaller caller = new HttpCaller(vertx);
  private final Optional<Wrk> wrk;
  private final Backends backends;
  private final SluiceProcess service;
  private final Map<Integer, Bare> bares = new HashMap<>();
  private final LedgerReader ledger;
  private final StockReader stock;
  private final Places places;
  private final Topics topics;
  private final Books books;
  private long nextSku = FIRST_SKU;
  private int volleys;
  private int processor = -1;

  private record Bare(ChildJvm process, String url) {}

  private Site(Plan plan, Build build) {
    this.plan = plan;
    this.build = build;
    this.wrk = plan.generator().equals("own") ? Optional.empty() : Wrk.find();
    this.backends = Backends.start(build.folder(), StartListener.SILENT, LARGE_DATABASE);
    String database = backends.newLedger();
    this.ledger = new LedgerReader(vertx, database);
    this.places = new Places(ledger);
    this.stock = new StockReader(vertx, backends.redis().uri(), places::partition);
    this.topics = new Topics(backends.kafka().bootstrapServers());
    this.books = new Books(this, ledger, stock, places);
    this.service = build.service(plan, backends, database, caller).start().awaitReady(START_LIMIT);
  }

  /** A site with the current build of the service. */
  public static Site open(Plan plan) {
    return new Site(plan, new Build("bench", false));
  }

  /** A site with the service of an older jar. */
  public static Site ofBaseline(Plan plan) {
    return new Site(plan, new Build("baseline", true));
  }

  /** Another site, with a service of the same build. */
  public Site another() {
    return new Site(plan, build);
  }

  public Backends backends() {
    return backends;
  }

  public SluiceProcess service() {
    return service;
  }

  public LedgerReader ledger() {
    return ledger;
  }

  /** The partition of a SKU's first bucket. */
  public long partition(long skuId) {
    return places.partition(skuId, 0);
  }

  public StockReader stock() {
    return stock;
  }

  Topics topics() {
    return topics;
  }

  public Books books() {
    return books;
  }

  public HttpCaller caller() {
    return caller;
  }

  /** The process that answers a constant, on so many event loops. */
  public ChildJvm bare(int loops) {
    return bareOf(loops).process();
  }

  public String bareUrl(int loops) {
    return bareOf(loops).url();
  }

  private Bare bareOf(int loops) {
    return bares.computeIfAbsent(
        loops,
        count -> {
          String port = String.valueOf(FreePort.next());
          List<String> arguments = List.of(port, String.valueOf(count));
          ChildJvm started =
              ChildJvm.start(
                  "%s-bare-%d".formatted(build.name(), count),
                  Plan.words(plan.jvm()),
                  BareServer.class,
                  arguments);
          started.awaitLine("listening", START_LIMIT);
          return new Bare(started, "http://127.0.0.1:" + port);
        });
  }

  /** Starts the service anew, with these settings on top of those that it had. */
  public void restart(Map<String, String> settings) {
    settings.forEach(service::setting);
    service.terminate();
    service.start().awaitReady(START_LIMIT);
  }

  /** Binds generators to this processor from now on, -1 for any. */
  void generateOn(int generatorsOwn) {
    processor = generatorsOwn;
  }

  /** Creates SKUs with this many units each, with consecutive ids; returns the first. */
  public long newSkus(int count, long units, long paymentWindowS) {
    return put(count, terms(units).put("payment_window_s", paymentWindowS));
  }

  public long newSkus(int count, long units) {
    return newSkus(count, units, A_DAY_S);
  }

  public long newSkuOf(int buckets, long units) {
    return put(1, terms(units).put("buckets", buckets));
  }

  /** One that sells in the ledger alone. */
  public long newDirectSku(long units) {
    return put(1, terms(units).put("mode", "direct"));
  }

  /** SKUs that can be ordered together; returns the first once they are sold. */
  public long newCartSkus(int count, long units) {
    List<Long> skus = LongStream.range(nextSku, nextSku + count).boxed().toList();
    JsonObject sale =
        SaleBodies.of("carts", skus, new JsonObject().put("total_stock", units))
            .put("carts", true)
            .put("payment_window_s", A_DAY_S);
    Call put = Call.put(service.adminUrl() + "/admin/sales/carts-" + nextSku).json(sale);
    await("a sale with carts", () -> caller.ask(put.within(CALL_LIMIT)).isYes());
    nextSku += count;
    return skus.get(0);
  }

  private static JsonObject terms(long units) {
    return new JsonObject().put("total_stock", units).put("payment_window_s", A_DAY_S);
  }

  private long put(int count, JsonObject terms) {
    long first = nextSku;
    nextSku += count;
    long endNs = System.nanoTime() + DRAIN_LIMIT.toNanos();
    List<Supplier<Future<Answer>>> puts =
        LongStream.range(first, nextSku)
            .<Supplier<Future<Answer>>>mapToObj(sku -> () -> put(sku, terms, endNs))
            .toList();
    new Crowd(vertx, 2, PUTS_AT_ONCE)
        .send(puts).stream()
            .filter(answer -> !answer.isYes())
            .findAny()
            .ifPresent(
                no -> {
                  throw new BenchException("a SKU cannot be created: " + no);
                });
    return first;
  }

  /** Again while its outcome is open, as on a machine that does other things too. */
  private Future<Answer> put(long sku, JsonObject terms, long endNs) {
    String url = service.adminUrl() + "/admin/skus/" + sku;
    return caller
        .send(Call.put(url).within(CALL_LIMIT).json(terms))
        .compose(
            answer ->
                answer.status() == UNAVAILABLE && System.nanoTime() < endNs
                    ? vertx
                        .timer(POLL.toMillis(), TimeUnit.MILLISECONDS)
                        .compose(over -> put(sku, terms, endNs))
                    : Future.succeededFuture(answer));
  }

  /** Orders at the service as fast as they are answered, by buyers that no other volley has. */
  public LoadSpec volley(int connections, long firstSku, int skus) {
    return LoadSpec.closed(service.url(), connections, plan.length(), buyers(), firstSku, skus);
  }

  /** A prefix of names that nobody has yet. */
  public String buyers() {
    return "v" + ++volleys;
  }

  /**
   * Warms a server up: first with few connections, so that the compilers of its JVM get processors,
   * then a quarter as long with all.
   */
  public void warmUp(LoadSpec volley) {
    fire(volley.over(WARM_UP_CONNECTIONS).lasting(plan.warmUp()));
    fire(volley.lasting(plan.warmUp().dividedBy(4)));
  }

  /** Sends a volley, by wrk if it has no rate, and records which orders there must be. */
  public Heard fire(LoadSpec volley) {
    LoadSpec fresh = volley.by(buyers());
    if (wrk.isPresent() && fresh.perS() == 0 && processor < 0) {
      // What is in flight at its end is not counted.
      return books.note(fresh, wrk.get().fire(fresh), fresh.connections());
    }
    try (OpenLoop running = OpenLoop.start(fresh, processor)) {
      return books.note(fresh, running.awaitEnd(), 0);
    }
  }

  /** The name shown in the report. */
  public String generator() {
    return wrk.isPresent() ? "wrk, at rates an open loop" : "an open loop";
  }

  /** Returns once everything is booked and passed on. */
  public void drain() {
    await("all bookings", () -> books.open() == 0);
    books.rest();
  }

  /** Records of the order log that are not booked. */
  public long unbookedRecords() {
    Map<Integer, Long> booked = ledger.nextOffsets();
    return topics.endOffsets(ORDERS).entrySet().stream()
        .mapToLong(end -> end.getValue() - booked.getOrDefault(end.getKey(), 0L))
        .sum();
  }

  /**
   * Lives that have ended and were told, if all orders are either paid or left to time out:
   * listeners hear two events of each. Heartbeats are counted with them, sixteen a second at most.
   */
  public long livesTold() {
    return topics.endOffsets(EVENTS).values().stream().mapToLong(Long::longValue).sum() / 2;
  }

  /** Polls until it is so. */
  public static void await(String what, BooleanSupplier condition) {
    long endNs = System.nanoTime() + DRAIN_LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > endNs) {
        throw new BenchException("Expected %s, but not after %s".formatted(what, DRAIN_LIMIT));
      }
      LockSupport.parkNanos(POLL.toNanos());
    }
  }

  /** Waits this long. */
  public static void pass(Duration time) {
    long endNs = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = endNs - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  @Override
  public void close() {
    try (backends;
        ledger;
        stock;
        topics) {
      bares.values().forEach(bare -> bare.process().close());
      if (service.isAlive()) {
        service.terminate();
      }
    } finally {
      vertx.close();
    }
  }
}
