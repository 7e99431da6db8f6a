package io.sluice.testkit.site;

import io.sluice.testkit.fault.FaultProxy;
import io.sluice.testkit.kafka.Topics;
import io.sluice.testkit.mysql.LedgerReader;
import io.sluice.testkit.process.DiskWatch;
import io.sluice.testkit.redis.StockReader;
import io.sluice.testkit.server.Backends;
import io.sluice.testkit.server.ServerOptions;
import io.sluice.testkit.site.SluiceProcess.TestMain;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The environment of a test class: instances of the service on the shared backends, with a
 * database, topics and a group of its own. After each test it checks the {@link Promises}. Held in
 * a static field with {@code @RegisterExtension}.
 */
public final class SaleSite implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(60);
  private static final Duration SHOWN_LIMIT = Duration.ofSeconds(90);
  private static final Duration SETTLE_LIMIT = Duration.ofSeconds(30);
  private static final int CLIENT_THREADS = 4;

  /** Starts with the time: sites share Redis, which may still have the data of earlier runs. */
  private static final AtomicLong NEXT_SKU =
      new AtomicLong(System.currentTimeMillis() * 1_000L % 1_000_000_000_000_000L);

  private final String id = UUID.randomUUID().toString().substring(0, 8);
  private final int startedInstances;
  private final Map<String, String> settings = new TreeMap<>();
  private final List<SluiceProcess> instances = new ArrayList<>();
  private final AtomicInteger turn = new AtomicInteger();
  private final Yeses yeses = new Yeses();
  private final QuietLog logs = new QuietLog(DiskWatch.start());
  private boolean quiet = true;
  private boolean tampered;
  private boolean redisProxied;
  private Optional<ServerOptions> ownOptions = Optional.empty();
  private String name = "site";
  private Backends backends;
  private FaultProxy redisProxy;
  private Vertx vertx;
  private HttpCaller http;
  private LedgerReader ledger;
  private StockReader stock;
  private Topics topics;

  private SaleSite(int startedInstances) {
    this.startedInstances = startedInstances;
  }

  /** A site that starts that many instances before the first test. */
  public static SaleSite withInstances(int count) {
    return new SaleSite(count);
  }

  /** Sets a {@code SLUICE_} variable for all instances. */
  public SaleSite setting(String variable, Object value) {
    settings.put(variable, String.valueOf(value));
    return this;
  }

  /** Tests of this site inject faults, so the instances may log warnings and exceptions. */
  public SaleSite withFaults() {
    quiet = false;
    return this;
  }

  /** Tests of this site corrupt the books on purpose, so the promises are not checked. */
  public SaleSite withTamperedBooks() {
    tampered = true;
    return this;
  }

  /** All instances reach Redis through {@link #redisProxy()}. */
  public SaleSite withRedisBehindProxy() {
    redisProxied = true;
    return this;
  }

  /** Runs on servers that no other site uses, so that these may be killed at any moment. */
  public SaleSite withServersOfItsOwn(ServerOptions options) {
    ownOptions = Optional.of(options);
    return this;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    name = context.getRequiredTestClass().getSimpleName();
    backends = ownOptions.map(Backends::startOwn).orElseGet(Backends::shared);
    String database = backends.newLedger();
    String redis = redisUri();
    SiteDefaults.of(backends, database, redis, id, quiet).forEach(settings::putIfAbsent);
    vertx =
        Vertx.vertx(
            new VertxOptions().setUseDaemonThread(true).setEventLoopPoolSize(CLIENT_THREADS));
    http = new HttpCaller(vertx);
    ledger = new LedgerReader(vertx, database);
    stock = new StockReader(vertx, redis, ledger::partition);
    topics = new Topics(backends.kafka().bootstrapServers());
    for (int i = 0; i < startedInstances; i++) {
      newInstance(Map.of()).start();
    }
    awaitReady();
  }

  private String redisUri() {
    String uri = backends.redis().uri();
    redisProxy = redisProxied ? FaultProxy.inFrontOf(uri) : null;
    return redisProxied ? redisProxy.uri() : uri;
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (!tampered && !instances.isEmpty() && context.getExecutionException().isEmpty()) {
      checkPromises(SETTLE_LIMIT);
    }
  }

  /** Waits until nothing is in flight, then fails if a promise was broken. */
  public void checkPromises() {
    checkPromises(SETTLE_LIMIT);
  }

  /** The same, for tests whose faults take long to settle. */
  public void checkPromises(Duration settleLimit) {
    new PromiseCheck(this, settleLimit).run();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    instances.forEach(SluiceProcess::close);
    ServiceArchive.make();
    topics.close();
    stock.close();
    ledger.close();
    vertx.close();
    if (redisProxied) {
      redisProxy.close();
    }
    if (ownOptions.isPresent()) {
      backends.close();
    }
    instances.forEach(instance -> logs.judge(instance, quiet));
  }

  /** Another instance, not started yet, with settings of its own. */
  public SluiceProcess newInstance(Map<String, String> ownSettings) {
    return newInstance(ownSettings, Release.present());
  }

  /** The same with another main class. */
  public SluiceProcess newInstance(Map<String, String> ownSettings, TestMain main) {
    return newInstance(ownSettings, (id, all, by) -> SluiceProcess.ofTestClass(id, main, all, by));
  }

  /** The same of that release. */
  public SluiceProcess newInstance(Map<String, String> ownSettings, Release release) {
    SluiceProcess instance =
        release.instance("%s-%d".formatted(name, instances.size()), with(ownSettings), http);
    instances.add(instance);
    return instance;
  }

  /**
   * An instance on the servers of this site that is none of its own, such as one of another ledger.
   * No request goes to it, and its log is not judged. The caller closes it.
   */
  public SluiceProcess stranger(String itsName, Map<String, String> ownSettings) {
    return Release.present().instance(name + "-" + itsName, with(ownSettings), http);
  }

  private Map<String, String> with(Map<String, String> ownSettings) {
    var all = new TreeMap<>(settings);
    all.putAll(ownSettings);
    return all;
  }

  public Backends backends() {
    return backends;
  }

  public Vertx vertx() {
    return vertx;
  }

  public String setting(String variable) {
    return settings.get(variable);
  }

  public List<SluiceProcess> instances() {
    return List.copyOf(instances);
  }

  public SluiceProcess instance(int index) {
    return instances.get(index);
  }

  /** Returns once every running instance is ready. */
  public void awaitReady() {
    alive().forEach(SluiceProcess::awaitReady);
  }

  /** A SKU that no other test uses, whose buckets are spread over the partitions. */
  public SaleTerms sale() {
    return new SaleTerms(buckets -> SkuIds.spread(this, buckets), this::askDesk, this::known);
  }

  /** A SKU with an id from {@link #newSkuId()}. */
  public SaleTerms sale(long skuId) {
    return new SaleTerms(buckets -> skuId, this::askDesk, this::known);
  }

  /** The same, opened through this instance. */
  public SaleTerms sale(long skuId, SluiceProcess desk) {
    return new SaleTerms(buckets -> skuId, call -> http.ask(call.at(desk.adminUrl())), this::known);
  }

  public Sale known(long skuId) {
    return new Sale(skuId, this, this::next);
  }

  // ---- operators, at the first instance

  public Answer desk(String method, String path) {
    return desk(method, path, null);
  }

  /** Without a body if it is null. */
  public Answer desk(String method, String path, JsonObject body) {
    Call call = Call.of(method, instance(0).adminUrl() + path);
    return http.ask(body == null ? call : call.json(body));
  }

  /** Puts a sale, again until Redis shows it; as often as it takes while a server is away. */
  public Answer putSale(String saleId, JsonObject body) {
    return Awaitility.await()
        .atMost(SHOWN_LIMIT)
        .until(
            () -> desk("PUT", "/admin/sales/" + saleId, body),
            answer -> answer.status() == 200 || answer.status() == 201);
  }

  /** The reports of all partitions, compared now. */
  public List<JsonObject> reconciled() {
    return desk("POST", "/admin/reconcile").json().getJsonArray("reports").stream()
        .map(JsonObject.class::cast)
        .toList();
  }

  // ---- what it is made of

  public long newSkuId() {
    return NEXT_SKU.incrementAndGet();
  }

  public FaultProxy redisProxy() {
    return redisProxy;
  }

  public HttpCaller http() {
    return http;
  }

  public LedgerReader ledger() {
    return ledger;
  }

  public StockReader stock() {
    return stock;
  }

  public Topics topics() {
    return topics;
  }

  public String ordersTopic() {
    return settings.get("SLUICE_KAFKA_ORDERS_TOPIC");
  }

  public String group() {
    return settings.get("SLUICE_KAFKA_GROUP");
  }

  public String eventsTopic() {
    return settings.get("SLUICE_KAFKA_EVENTS_TOPIC");
  }

  public int partitions() {
    return Integer.parseInt(settings.get("SLUICE_KAFKA_PARTITIONS"));
  }

  public Crowd crowd(int visitors) {
    return new Crowd(vertx, CLIENT_THREADS, visitors);
  }

  Yeses yeses() {
    return yeses;
  }

  /** What this buyer was told is not looked for in the ledger any more: he was forgotten. */
  public void forget(String userId) {
    yeses.forget(userId);
  }

  /** The next running instance, in turn. */
  SluiceProcess next() {
    List<SluiceProcess> alive = alive();
    if (alive.isEmpty()) {
      throw new AssertionError("no instance is up");
    }
    return alive.get(Math.floorMod(turn.getAndIncrement(), alive.size()));
  }

  Answer await(Future<Answer> answer) {
    try {
      return answer.await(ANSWER_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("no answer within " + ANSWER_LIMIT, e);
    }
  }

  private List<SluiceProcess> alive() {
    return instances.stream().filter(SluiceProcess::isAlive).toList();
  }

  private Answer askDesk(Call call) {
    return http.ask(call.at(next().adminUrl()));
  }
}
