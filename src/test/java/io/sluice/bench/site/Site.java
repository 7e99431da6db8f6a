package io.sluice.bench.site;

import io.sluice.bench.BenchException;
import io.sluice.bench.Plan;
import io.sluice.bench.load.Buyers;
import io.sluice.bench.load.Generator;
import io.sluice.bench.load.Heard;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.load.OwnGenerator;
import io.sluice.testkit.kafka.Topics;
import io.sluice.testkit.mysql.LedgerReader;
import io.sluice.testkit.process.ChildJvm;
import io.sluice.testkit.process.FreePort;
import io.sluice.testkit.process.StartListener;
import io.sluice.testkit.redis.StockReader;
import io.sluice.testkit.server.Backends;
import io.sluice.testkit.server.ServerOptions;
import io.sluice.testkit.site.HttpCaller;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * Everything that runs during a measurement: the servers, one instance of the service with its
 * owners, the bare server, and the generator.
 */
public final class Site implements AutoCloseable {
  static final int PARTITIONS = 8;
  static final String ORDERS = "bench-orders";
  static final String EVENTS = "bench-events";
  private static final Duration START_LIMIT = Duration.ofSeconds(30);
  public static final Duration POLL = Duration.ofMillis(200);
  static final Duration DRAIN_LIMIT = Duration.ofMinutes(10);
  private static final int WARM_UP_CONNECTIONS = 8;

  /** Large enough to keep a ledger of a million orders in memory, as a production server would. */
  private static final ServerOptions LARGE_DATABASE =
      ServerOptions.none()
          .withMysql("innodb-buffer-pool-size", "2G")
          .withMysql("innodb-log-file-size", "1G");

  /** Ten digits, so that all requests have the same length, and above every id used elsewhere. */
  private static final long FIRST_SKU = 2_000_000_000L;

  private final Plan plan;
  private final Build build;
  private final Map<String, String> settings;
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setUseDaemonThread(true));
  private final HttpCaller caller = new HttpCaller(vertx);
  private final Generator generator;
  private final Backends backends;
  private final SluiceProcess service;
  private final ChildJvm bare;
  private final String bareUrl;
  private final LedgerReader ledger;
  private final StockReader stock;
  private final Topics topics;
  private final Map<Long, Long> accepted = new HashMap<>();
  private final Map<Long, Long> unheard = new HashMap<>();
  public final SkusInBuckets inBuckets = new SkusInBuckets(this);
  private String schemeDatabase;
  private long nextSku = FIRST_SKU;
  private int volleys;

  private Site(Plan plan, Build build, Map<String, String> settings) {
    this.plan = plan;
    this.build = build;
    this.settings = settings;
    this.generator = Generator.named(plan.generator());
    this.backends = Backends.start(build.folder(), StartListener.SILENT, LARGE_DATABASE);
    String database = backends.newLedger();
    this.ledger = new LedgerReader(vertx, database);
    this.stock = new StockReader(vertx, backends.redis().uri(), ledger::partition);
    this.topics = new Topics(backends.kafka().bootstrapServers());
    List<String> options = new ArrayList<>(Plan.words(plan.jvm()));
    int port = FreePort.next();
    this.bareUrl = "http://127.0.0.1:" + port;
    this.bare =
        ChildJvm.start(
            build.name() + "-bare", options, BareServer.class, List.of(String.valueOf(port)));
    options.addAll(Plan.words(plan.serviceJvm()));
    this.service = build.service(options, backends, database, settings, caller).start();
  }

  /** A site with the current build of the service. */
  public static Site open(Plan plan, Map<String, String> settings) {
    return ready(new Site(plan, Build.current(), settings));
  }

  /** A site with the service of an older jar. */
  public static Site ofBaseline(Plan plan) {
    return ready(new Site(plan, Build.ofJar(Path.of(plan.baseline())), Map.of()));
  }

  /** Another site, with a service of the same build and settings. */
  public Site another() {
    return ready(new Site(plan, build, settings));
  }

  private static Site ready(Site site) {
    site.bare.awaitLine("listening", START_LIMIT);
    site.service.awaitReady();
    return site;
  }

  public Generator generator() {
    return generator;
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

  LedgerCounts counts() {
    return new LedgerCounts(ledger);
  }

  /** The partition of a SKU's first bucket. */
  public long partition(long skuId) {
    return counts().partition(skuId);
  }

  StockReader stock() {
    return stock;
  }

  Topics topics() {
    return topics;
  }

  HttpCaller caller() {
    return caller;
  }

  public String bareUrl() {
    return bareUrl;
  }

  /** An id that no sale has yet. */
  long nextSku() {
    return nextSku++;
  }

  /** The database of the other schemes, created on first use. */
  String schemeDatabase() {
    if (schemeDatabase == null) {
      schemeDatabase = backends.mysql().newDatabase();
    }
    return schemeDatabase;
  }

  /** Creates SKUs with this many units each, with consecutive ids; returns the first. */
  public long newSkus(int count, long units) {
    return newSkus(count, units, NewSkus.A_DAY_S);
  }

  /** The same with another time to pay. */
  public long newSkus(int count, long units, long paymentWindowS) {
    long first = nextSku;
    nextSku += count;
    new NewSkus(vertx, caller, service.adminUrl()).put(first, count, units, paymentWindowS);
    return first;
  }

  /** The same as a sale in which they can be ordered together. */
  public long newCartSkus(int count, long units) {
    long first = nextSku;
    nextSku += count;
    new NewSkus(vertx, caller, service.adminUrl()).putTogether(first, count, units);
    return first;
  }

  /** One that sells in the ledger alone. */
  public long newDirectSku(long units) {
    new NewSkus(vertx, caller, service.adminUrl()).putDirect(nextSku, units);
    return nextSku++;
  }

  /** A volley at the service by buyers that no other volley has. */
  public LoadSpec volley(long firstSku, int skus) {
    return volley(service.url(), plan.length(), firstSku, skus);
  }

  /** The same at another server, for another length. */
  public LoadSpec volley(String url, Duration length, long firstSku, int skus) {
    return new LoadSpec(
        url, plan.connections(), length, 0, Buyers.NEW, newBuyers(), firstSku, skus);
  }

  public String newBuyers() {
    return "v" + ++volleys;
  }

  /**
   * Warms a server up: first with few connections, so that the compilers of its JVM get processors,
   * then a quarter as long with all.
   */
  public void warmUp(LoadSpec volley, Plan now) {
    fire(volley.over(WARM_UP_CONNECTIONS).lasting(now.warmUp()));
    fire(volley.lasting(now.warmUp().dividedBy(4)));
  }

  /** Sends a volley to the service and records how many orders the ledger must have afterwards. */
  public Heard fire(LoadSpec volley) {
    return fire(volley.kind() == Buyers.NEW ? generator : new OwnGenerator(), volley);
  }

  /** The same with another generator. */
  public Heard fire(Generator with, LoadSpec volley) {
    long cut = with.leavesSomeUnheard() ? volley.connections() : 0;
    return note(volley, with.fire(volley.by(newBuyers())), cut);
  }

  /** Records what was heard of a volley that somebody else sent. */
  public Heard note(LoadSpec volley, Heard heard, long cut) {
    if (volley.url().equals(service.url())) {
      int lines = volley.kind().lines();
      accepted.merge(volley.firstSku(), lines * heard.accepted(), Long::sum);
      unheard.merge(volley.firstSku(), lines * (cut + heard.failed()), Long::sum);
    }
    return heard;
  }

  /** Returns once everything is booked and passed on. */
  public void drain() {
    drain(left -> {});
  }

  /** The same; reports from time to time how much is left. */
  public void drain(LongConsumer progress) {
    long endNs = System.nanoTime() + DRAIN_LIMIT.toNanos();
    for (long left = open(); left > 0; left = open()) {
      progress.accept(left);
      if (System.nanoTime() > endNs) {
        throw new BenchException("not booked after " + DRAIN_LIMIT + ": " + left);
      }
      LockSupport.parkNanos(POLL.toNanos());
    }
  }

  /** Records that are not booked, plus grants and outbox rows that are not passed on. */
  public long open() {
    long records = unbookedRecords();
    if (records > 0) {
      return records;
    }
    long unbooked = inBuckets.unbooked(accepted.keySet());
    return unbooked + counts().outboxPending();
  }

  /** Records of the order log that are not booked. */
  public long unbookedRecords() {
    Map<Integer, Long> ends = topics.endOffsets(ORDERS);
    Map<Integer, Long> booked = ledger.nextOffsets();
    return ends.entrySet().stream()
        .mapToLong(end -> end.getValue() - booked.getOrDefault(end.getKey(), 0L))
        .sum();
  }

  /** Received yeses, one for each line, by the first SKU of their volley. */
  Map<Long, Long> accepted() {
    return accepted;
  }

  /** The number of further orders that may exist, since their answers were not counted. */
  Map<Long, Long> unheard() {
    return unheard;
  }

  @Override
  public void close() {
    try (backends;
        ledger;
        stock;
        topics;
        bare) {
      if (service.isAlive()) {
        service.terminate();
      }
    } finally {
      vertx.close();
    }
  }
}
