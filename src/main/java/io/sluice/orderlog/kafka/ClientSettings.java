package io.sluice.orderlog.kafka;

import io.sluice.config.KafkaConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.producer.ProducerConfig;

/** The settings of all Kafka clients, with the reason if one differs from the default. */
final class ClientSettings {
  /**
   * How long a dead member keeps its partitions. Including the rebalance, the next owner reads them
   * within 15 s.
   */
  static final int SESSION_TIMEOUT_MS = 10_000;

  /**
   * The maximum duration of a rebalance. Observed with Kafka 4.1 after a restart of the broker:
   * dead members were not detected by their sessions. All partitions were without an owner for this
   * whole time, whose default is five minutes.
   */
  static final int REBALANCE_MAX_MS = 15_000;

  /**
   * A member is notified of a rebalance in the response to its next heartbeat. For this long, a
   * partition that moves between live members has no owner.
   */
  static final int HEARTBEAT_MS = 250;

  /**
   * So long the broker gathers records of the order log, unless there are {@link
   * #ORDERS_FETCH_BYTES} before. A fetch for each record would cost the broker a request, this
   * instance two thread switches, and the ledger a transaction. A resumed partition waits for the
   * fetch in flight as well, which does not include it.
   */
  static final int ORDERS_FETCH_WAIT_MS = 20;

  static final int ORDERS_FETCH_BYTES = 64 * 1024;

  /** Records end it, and heartbeats come each second. */
  static final int EVENTS_FETCH_WAIT_MS = 2_000;

  /**
   * Of pages of events, which are asked for only if there are records: the fetch behind the last
   * one must not delay the next page.
   */
  static final int PAGE_FETCH_WAIT_MS = 5;

  static final int PAGE_PARTITION_FETCH_BYTES = 64 * 1024;
  static final int PAGE_FETCH_BYTES_MAX = 2 * 1024 * 1024;

  /** The maximum number of records in one poll. */
  static final int POLL_RECORDS_MAX = 500;

  /**
   * The maximum bytes of one partition in one poll: about a thousand reservations, one ledger
   * transaction.
   */
  static final int PARTITION_FETCH_BYTES = 256 * 1024;

  static final int FETCH_BYTES_MAX = 8 * 1024 * 1024;

  /** The producer's buffer; {@link BoundedProducer} never lets it fill up. */
  static final int PRODUCER_BUFFER_BYTES = 64 * 1024 * 1024;

  static final int PRODUCER_BATCH_BYTES = 64 * 1024;

  /** The time limit of calls to the broker other than sends, for the caller. */
  static final int CALL_TIMEOUT_MS = 2_000;

  private static final int REQUEST_TIMEOUT_MS = 5_000;
  private static final int CONNECT_TIMEOUT_MS = 1_000;
  private static final int CONNECT_TIMEOUT_MAX_MS = 4_000;
  private static final int RECONNECT_BACKOFF_MS = 50;
  private static final int RECONNECT_BACKOFF_MAX_MS = 500;
  private static final Duration FOR_GOOD = Duration.ofDays(365);

  private ClientSettings() {}

  static Map<String, Object> producer(KafkaConfig config) {
    Map<String, Object> settings = common(config);
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    // Nothing waits for others; RecordGathering decides what shares a record.
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    // One request in flight: records that arrive meanwhile are sent together in the next.
    settings.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
    settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "none");
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, config.requestTimeoutMs());
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, config.deliveryTimeoutMs());
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, config.maxBlockMs());
    settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, (long) PRODUCER_BUFFER_BYTES);
    settings.put(ProducerConfig.BATCH_SIZE_CONFIG, PRODUCER_BATCH_BYTES);
    // A send blocks its thread while the topic's metadata is missing. So metadata is kept through
    // idle times, and through outages, in which "rebootstrap" would discard it.
    settings.put(ProducerConfig.METADATA_MAX_IDLE_CONFIG, FOR_GOOD.toMillis());
    settings.put(CommonClientConfigs.METADATA_RECOVERY_STRATEGY_CONFIG, "none");
    return settings;
  }

  /**
   * @param clientId shows the members of the group whose instance this is
   */
  static Map<String, Object> ordersConsumer(KafkaConfig config, String clientId) {
    Map<String, Object> settings = consumer(config);
    settings.put(ConsumerConfig.CLIENT_ID_CONFIG, clientId);
    settings.put(ConsumerConfig.GROUP_ID_CONFIG, config.group());
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    settings.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
    settings.put(
        ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
        CooperativeStickyAssignor.class.getName());
    settings.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_TIMEOUT_MS);
    settings.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, REBALANCE_MAX_MS);
    settings.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, HEARTBEAT_MS);
    settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, ORDERS_FETCH_WAIT_MS);
    settings.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, ORDERS_FETCH_BYTES);
    return settings;
  }

  static Map<String, Object> feedConsumer(KafkaConfig config) {
    Map<String, Object> settings = consumer(config);
    // A reset would skip events, and nobody would know.
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, EVENTS_FETCH_WAIT_MS);
    return settings;
  }

  static Map<String, Object> pageConsumer(KafkaConfig config) {
    Map<String, Object> settings = feedConsumer(config);
    settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, PAGE_FETCH_WAIT_MS);
    settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, PAGE_PARTITION_FETCH_BYTES);
    settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, PAGE_FETCH_BYTES_MAX);
    return settings;
  }

  static Map<String, Object> admin(KafkaConfig config) {
    Map<String, Object> settings = common(config);
    settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, CALL_TIMEOUT_MS);
    settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, CALL_TIMEOUT_MS);
    settings.put(CommonClientConfigs.METADATA_RECOVERY_STRATEGY_CONFIG, "rebootstrap");
    return settings;
  }

  private static Map<String, Object> consumer(KafkaConfig config) {
    Map<String, Object> settings = common(config);
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, POLL_RECORDS_MAX);
    settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, PARTITION_FETCH_BYTES);
    settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES_MAX);
    settings.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
    settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
    // If all brokers have moved to other addresses, they are found again by their bootstrap names.
    settings.put(CommonClientConfigs.METADATA_RECOVERY_STRATEGY_CONFIG, "rebootstrap");
    return settings;
  }

  private static Map<String, Object> common(KafkaConfig config) {
    Map<String, Object> settings = new HashMap<>(config.properties().values());
    settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
    settings.put(CommonClientConfigs.RECONNECT_BACKOFF_MS_CONFIG, RECONNECT_BACKOFF_MS);
    settings.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, RECONNECT_BACKOFF_MAX_MS);
    settings.put(CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, CONNECT_TIMEOUT_MS);
    settings.put(
        CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG, CONNECT_TIMEOUT_MAX_MS);
    settings.put(CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, false);
    return settings;
  }
}
