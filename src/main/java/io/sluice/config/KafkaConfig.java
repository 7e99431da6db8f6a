package io.sluice.config;

import static io.sluice.config.InvalidConfigException.require;
import static io.sluice.config.InvalidConfigException.requireAtMost;

import io.sluice.config.Key.Patterns;
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
    @Key(
            value = "127.0.0.1:9092",
            form = "(?:" + Patterns.SERVERS + ")?",
            expected = "a list like host:9092,host2:9092, or empty for none")
        String bootstrapServers,
    @Key(value = "seckill-orders", form = Patterns.TOPIC, expected = "a topic name")
        String ordersTopic,
    @Key(value = "stock-events", form = Patterns.TOPIC, expected = "a topic name")
        String eventsTopic,
    @Key(value = "8", min = 1, max = 1_024) int partitions,
    @Key(value = "0", max = 15) int replicationFactor,
    @Key(value = "sluice-ledger", form = Patterns.TOPIC, expected = "a group name") String group,
    @Key(value = "1000", min = 1, max = 60_000) int requestTimeoutMs,
    @Key(value = "1500", min = 1, max = 120_000) int deliveryTimeoutMs,
    @Key(value = "500", min = 1, max = 60_000) int maxBlockMs,
    @Key(value = "100000", min = 1, max = 100_000_000) int lagLimit,
    @Key(value = "busy", form = "busy|direct", expected = "busy or direct") String lagAction,
    @Key KafkaProperties properties) {
  static final String DELIVERY_TIMEOUT_MS = "kafka.delivery_timeout_ms";

  /** Checks conditions between the values. */
  public KafkaConfig {
    require(
        !eventsTopic.equals(ordersTopic),
        "kafka.events_topic",
        "must differ from kafka.orders_topic, was \"" + eventsTopic + "\" too");
    requireAtMost(
        "kafka.request_timeout_ms", requestTimeoutMs, DELIVERY_TIMEOUT_MS, deliveryTimeoutMs);
    requireAtMost("kafka.max_block_ms", maxBlockMs, DELIVERY_TIMEOUT_MS, deliveryTimeoutMs);
  }

  /** Whether there is no Kafka, so that SKUs sell in the ledger alone. */
  public boolean isNone() {
    return bootstrapServers.isEmpty();
  }

  /** Whether all brokers that are asked first run on this machine. */
  boolean isOfThisMachine() {
    return isNone() || Stream.of(bootstrapServers.split(",", -1)).allMatch(Loopback::isAuthority);
  }
}
