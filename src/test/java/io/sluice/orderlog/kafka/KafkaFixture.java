package io.sluice.orderlog.kafka;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.config.KafkaConfig;
import io.sluice.config.KafkaProperties;
import io.sluice.metrics.Meters;
import io.sluice.orderlog.TopicInfo;
import io.sluice.testkit.kafka.KafkaBackend;
import io.sluice.testkit.server.Backends;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Topics and clients of one test on the real broker; closes everything that it opened. */
final class KafkaFixture implements AutoCloseable {
  static final String INSTANCE = "7f0c9a52-kafka-fixture";
  static final int PARTITIONS = 4;
  static final String LEDGER = "0a1b2c3d4e5f";
  static final int DELIVERY_TIMEOUT_MS = 1_500;

  private final Vertx vertx = Vertx.vertx();
  private final Deque<Supplier<Future<Void>>> opened = new ArrayDeque<>();
  private final OneContext context = new OneContext(vertx);
  private final KafkaConfig config;
  private final Meters meters = new Meters(new SimpleMeterRegistry());
  private final KafkaAdmin admin;
  final SealWatch seals = new SealWatch(LEDGER, "stock-events", meters, System::nanoTime);
  private final TopicInfo topics;
  final List<TopicInfo> foreignTopics = new CopyOnWriteArrayList<>();

  KafkaFixture() {
    this.config = config("t" + UUID.randomUUID(), PARTITIONS);
    this.admin = await(() -> KafkaAdmin.open(vertx, config));
    this.topics = await(() -> new KafkaTopics(vertx, admin, config).ensure());
  }

  /** Of a ledger with this id; its key follows from it. */
  static EventSeal seal(String ledger) {
    return new EventSeal(ledger, ledger.getBytes(StandardCharsets.UTF_8));
  }

  /** How many events were ignored for this reason by the feeds of this fixture. */
  double ignored(String reason) {
    return meters.registry().counter("sluice_events_ignored", "reason", reason).count();
  }

  static KafkaBackend broker() {
    return Backends.shared().kafka();
  }

  static KafkaConfig config(String name, int partitions) {
    return new KafkaConfig(
        broker().bootstrapServers(),
        name + "-orders",
        name + "-events",
        partitions,
        0,
        name + "-group",
        1_000,
        DELIVERY_TIMEOUT_MS,
        500,
        100_000,
        "busy",
        KafkaProperties.NONE);
  }

  Vertx vertx() {
    return vertx;
  }

  KafkaConfig config() {
    return config;
  }

  KafkaAdmin admin() {
    return admin;
  }

  OneContext context() {
    return context;
  }

  /** Kafka's admin client, for operations that Sluice never does. */
  Admin rawAdmin() {
    Admin raw = Admin.create(ClientSettings.admin(config));
    opened.push(() -> vertx.executeBlocking(() -> closed(raw)));
    return raw;
  }

  private static Void closed(Admin raw) {
    raw.close();
    return null;
  }

  /** Appends a record as another program does, whose transaction leaves a marker behind it. */
  void appendInATransaction(String topic, int partition, byte[] value) {
    Map<String, Object> settings = new HashMap<>(ClientSettings.producer(config));
    settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "stranger-" + UUID.randomUUID());
    // The first transaction of a broker creates its topic of transactions.
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 30_000);
    try (var stranger =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      stranger.initTransactions();
      stranger.beginTransaction();
      stranger.send(new ProducerRecord<>(topic, partition, null, value));
      stranger.commitTransaction();
    }
  }

  KafkaOrderLog log() {
    KafkaOrderLog log =
        await(
            () ->
                KafkaOrderLog.open(
                    vertx, config, INSTANCE, admin, meters, topics, foreignTopics::add));
    opened.push(log::close);
    return log;
  }

  KafkaOrderLogConsumer consumer() {
    KafkaOrderLogConsumer consumer =
        new KafkaOrderLogConsumer(vertx, config, LEDGER, admin, meters);
    opened.push(consumer::close);
    return consumer;
  }

  KafkaEventPublisher publisher() {
    KafkaEventPublisher publisher =
        await(() -> KafkaEventPublisher.open(vertx, config, "instance-1", seal(LEDGER)));
    opened.push(publisher::close);
    return publisher;
  }

  KafkaEventFeed feed() {
    KafkaEventFeed feed = new KafkaEventFeed(vertx, config, admin, seal(LEDGER), seals);
    opened.push(feed::close);
    return feed;
  }

  KafkaEventPages pages() {
    KafkaEventPages pages =
        new KafkaEventPages(vertx, config, admin, seal(LEDGER), InstantSource.system());
    opened.push(pages::close);
    return pages;
  }

  <T> T await(Supplier<Future<T>> call) {
    return context.await(call);
  }

  /** Makes this call, and waits for nothing. */
  void begin(Supplier<Future<Void>> call) {
    context.start(call);
  }

  @Override
  public void close() {
    opened.forEach(context::await);
    context.await(admin::close);
    try {
      vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }
}
