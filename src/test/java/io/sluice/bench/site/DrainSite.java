package io.sluice.bench.site;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.Application;
import io.sluice.PortDecorator;
import io.sluice.config.Config;
import io.sluice.config.ConfigLoader;
import io.sluice.metrics.Meters;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.OrderTokens;
import io.sluice.orderlog.TopicInfo;
import io.sluice.orderlog.kafka.KafkaAdmin;
import io.sluice.orderlog.kafka.KafkaOrderLog;
import io.sluice.orderlog.kafka.KafkaTopics;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.Stock;
import io.sluice.stock.StockStore;
import io.sluice.stock.redis.RedisConnector;
import io.sluice.stock.redis.RedisStock;
import io.sluice.testkit.Placements;
import io.sluice.testkit.mysql.LedgerReader;
import io.sluice.testkit.process.FreePort;
import io.sluice.testkit.server.Backends;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.HttpCaller;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The site of one drain: a database, topics and a consumer group of its own, and an instance in
 * this JVM.
 */
public final class DrainSite implements AutoCloseable {
  private static final int PATIENCE_S = 300;
  private static final int PAYMENT_WINDOW_S = 86_400;

  private final Vertx clientVertx;
  private final Map<String, String> settings;
  private final int adminPort = FreePort.next();
  private final long skuId;
  private final int buckets;
  private final LedgerReader ledger;
  private Vertx vertx;
  private Application application;
  private int buyers;

  public DrainSite(Backends backends, Vertx clientVertx, long skuId, int buckets) {
    this.clientVertx = clientVertx;
    this.skuId = skuId;
    this.buckets = buckets;
    String id = UUID.randomUUID().toString().substring(0, 8);
    String database = backends.newLedger();
    this.settings =
        Map.of(
            "SLUICE_HTTP_PORT",
            String.valueOf(FreePort.next()),
            "SLUICE_ADMIN_PORT",
            String.valueOf(adminPort),
            "SLUICE_REDIS_URI",
            backends.redis().uri(),
            "SLUICE_KAFKA_BOOTSTRAP_SERVERS",
            backends.kafka().bootstrapServers(),
            "SLUICE_KAFKA_ORDERS_TOPIC",
            "orders-" + id,
            "SLUICE_KAFKA_EVENTS_TOPIC",
            "events-" + id,
            "SLUICE_KAFKA_GROUP",
            "ledger-" + id,
            "SLUICE_MYSQL_URI",
            database);
    this.ledger = new LedgerReader(clientVertx, database);
  }

  public LedgerReader ledger() {
    return ledger;
  }

  public long skuId() {
    return skuId;
  }

  public int partitions() {
    return config().kafka().partitions();
  }

  /** Starts the instance; its owners start booking the backlog. */
  public void start() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(2));
    application =
        new Application(
            vertx,
            config(),
            PortDecorator.NONE,
            registry,
            (code, why) -> {
              throw new IllegalStateException(why);
            });
    get(application.start());
  }

  public void stop() {
    if (application != null) {
      get(application.close());
      get(vertx.close());
      application = null;
    }
  }

  private Config config() {
    return get(ConfigLoader.load(null, settings)).config();
  }

  /** Opens the sale; returns once Redis has all its buckets. */
  public void put(long stock) {
    JsonObject body =
        new JsonObject()
            .put("total_stock", stock)
            .put("buckets", buckets)
            .put("payment_window_s", PAYMENT_WINDOW_S);
    String url = "http://127.0.0.1:" + adminPort + "/admin/skus/" + skuId;
    Answer answer =
        new HttpCaller(clientVertx).ask(Call.put(url).json(body).within(Duration.ofSeconds(60)));
    if (!answer.isYes()) {
      throw new IllegalStateException("Expected the SKU to be there, but: " + answer);
    }
  }

  /** Makes this many grants in Redis and appends them to the log; returns them by partition. */
  public List<List<Grant>> fill(int orders, int perRecord) {
    Meters meters = new Meters(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
    Config config = config();
    RedisStock stock =
        new RedisStock(clientVertx, new RedisConnector(clientVertx, config.redis()), meters);
    get(Future.future(up -> clientVertx.runOnContext(now -> stock.start().onComplete(up))));
    KafkaAdmin admin = get(KafkaAdmin.open(clientVertx, config.kafka()));
    TopicInfo topic = get(new KafkaTopics(clientVertx, admin, config.kafka()).ensure());
    KafkaOrderLog log =
        get(
            KafkaOrderLog.open(
                clientVertx, config.kafka(), "bench", admin, meters, topic, foreign -> {}));
    List<List<Grant>> granted = new ArrayList<>();
    for (int i = 0; i < config.kafka().partitions(); i++) {
      granted.add(new ArrayList<>());
    }
    Map<BucketId, List<StockStore.Request>> waiting = new HashMap<>();
    OrderTokens tokens = new OrderTokens(new byte[16]);
    for (int i = 0; i < orders; i++) {
      String user = "buyer-" + buyers++;
      BucketId bucket = BucketId.of(skuId, user, buckets);
      List<StockStore.Request> batch = waiting.computeIfAbsent(bucket, id -> new ArrayList<>());
      batch.add(new StockStore.Request(tokens.tokenFor(user, bucket, null), user, 1));
      if (batch.size() == perRecord) {
        grant(stock, log, bucket, waiting.remove(bucket), granted);
      }
    }
    waiting.forEach((bucket, batch) -> grant(stock, log, bucket, batch, granted));
    get(log.close());
    get(Future.future(down -> clientVertx.runOnContext(now -> stock.close().onComplete(down))));
    return granted;
  }

  private static void grant(
      Stock stock,
      KafkaOrderLog log,
      BucketId bucket,
      List<StockStore.Request> batch,
      List<List<Grant>> granted) {
    int partition = Placements.partitionOf(bucket, granted.size());
    List<Grant> grants =
        get(stock.at(partition).reserve(bucket, batch)).outcomes().stream()
            .map(outcome -> ((GrantOutcome.Granted) outcome).grant())
            .toList();
    granted.get(partition).addAll(grants);
    get(
        log.append(
            partition,
            grants.stream().<Command>map(grant -> new Command.Reserve(grant, null)).toList()));
  }

  public long booked() {
    return ledger.count(
        "SELECT CAST(SUM(held) AS SIGNED) FROM inventory_bucket WHERE sku_id = " + skuId);
  }

  public static <T> T get(Future<T> future) {
    try {
      return future.await(PATIENCE_S, TimeUnit.SECONDS);
    } catch (TimeoutException late) {
      throw new IllegalStateException("Expected an answer in time", late);
    }
  }

  @Override
  public void close() {
    stop();
    ledger.close();
  }
}
