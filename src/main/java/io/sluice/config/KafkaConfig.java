package io.sluice.config;

import io.sluice.config.value.IntKey;
import io.sluice.config.value.InvalidConfigException;
import io.sluice.config.value.Loopback;
import io.sluice.config.value.Patterns;
import io.sluice.config.value.Settings;
import io.sluice.config.value.StringKey;
import java.util.stream.Stream;

/**
 * @param bootstrapServers empty for none
 * @param replicationFactor of topics that Sluice creates; 0 = 3 on three or more brokers, else the
 *     broker's default
 * @param requestTimeoutMs the producer's request.timeout.ms; milliseconds
 * @param deliveryTimeoutMs the producer's delivery.timeout.ms; milliseconds
 * @param maxBlockMs the producer's max.block.ms; milliseconds
 * @param lagLimit orders in the log that are not booked
 * @param lagAction busy or direct
 * @param properties of all clients: encryption and login
 */
public record KafkaConfig(
    String bootstrapServers,
    String ordersTopic,
    String eventsTopic,
    int partitions,
    int replicationFactor,
    String group,
    int requestTimeoutMs,
    int deliveryTimeoutMs,
    int maxBlockMs,
    int lagLimit,
    String lagAction,
    KafkaProperties properties) {
  static final StringKey BOOTSTRAP_SERVERS =
      StringKey.of(
          "kafka.bootstrap_servers",
          "127.0.0.1:9092",
          "a list like host:9092,host2:9092, or empty for none",
          "(?:" + Patterns.SERVERS + ")?");
  static final StringKey ORDERS_TOPIC =
      StringKey.of("kafka.orders_topic", "seckill-orders", "a topic name", Patterns.TOPIC);
  static final StringKey EVENTS_TOPIC =
      StringKey.of("kafka.events_topic", "stock-events", "a topic name", Patterns.TOPIC);
  static final IntKey PARTITIONS = new IntKey("kafka.partitions", 8, 1, 1_024);
  static final IntKey REPLICATION_FACTOR = new IntKey("kafka.replication_factor", 0, 0, 15);
  static final StringKey GROUP =
      StringKey.of("kafka.group", "sluice-ledger", "a group name", Patterns.TOPIC);
  static final IntKey REQUEST_TIMEOUT_MS = new IntKey("kafka.request_timeout_ms", 1_000, 1, 60_000);
  static final IntKey DELIVERY_TIMEOUT_MS =
      new IntKey("kafka.delivery_timeout_ms", 1_500, 1, 120_000);
  static final IntKey MAX_BLOCK_MS = new IntKey("kafka.max_block_ms", 500, 1, 60_000);
  static final IntKey LAG_LIMIT = new IntKey("kafka.lag_limit", 100_000, 1, 100_000_000);
  static final StringKey LAG_ACTION =
      StringKey.of("kafka.lag_action", "busy", "busy or direct", "busy|direct");

  /** Checks each value, and conditions between them. */
  public KafkaConfig {
    BOOTSTRAP_SERVERS.check(bootstrapServers);
    ORDERS_TOPIC.check(ordersTopic);
    EVENTS_TOPIC.check(eventsTopic);
    if (eventsTopic.equals(ordersTopic)) {
      throw new InvalidConfigException(
          EVENTS_TOPIC.key(),
          EVENTS_TOPIC.key()
              + " must differ from "
              + ORDERS_TOPIC.key()
              + ", was \""
              + eventsTopic
              + "\" too");
    }
    PARTITIONS.check(partitions);
    REPLICATION_FACTOR.check(replicationFactor);
    GROUP.check(group);
    DELIVERY_TIMEOUT_MS.check(deliveryTimeoutMs);
    REQUEST_TIMEOUT_MS.checkAtMost(requestTimeoutMs, DELIVERY_TIMEOUT_MS, deliveryTimeoutMs);
    MAX_BLOCK_MS.checkAtMost(maxBlockMs, DELIVERY_TIMEOUT_MS, deliveryTimeoutMs);
    LAG_LIMIT.check(lagLimit);
    LAG_ACTION.check(lagAction);
  }

  /** Whether there is no Kafka, so that SKUs sell in the ledger alone. */
  public boolean isNone() {
    return bootstrapServers.isEmpty();
  }

  /** Whether all brokers that are asked first run on this machine. */
  boolean isOfThisMachine() {
    return isNone() || Stream.of(bootstrapServers.split(",", -1)).allMatch(Loopback::isAuthority);
  }

  static KafkaConfig read(Settings settings) {
    return new KafkaConfig(
        settings.text(BOOTSTRAP_SERVERS),
        settings.text(ORDERS_TOPIC),
        settings.text(EVENTS_TOPIC),
        settings.number(PARTITIONS),
        settings.number(REPLICATION_FACTOR),
        settings.text(GROUP),
        settings.number(REQUEST_TIMEOUT_MS),
        settings.number(DELIVERY_TIMEOUT_MS),
        settings.number(MAX_BLOCK_MS),
        settings.number(LAG_LIMIT),
        settings.text(LAG_ACTION),
        settings.value(KafkaProperties.KEY, KafkaProperties.NONE, KafkaProperties::parse));
  }
}
