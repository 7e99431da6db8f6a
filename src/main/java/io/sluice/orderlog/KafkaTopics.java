package io.sluice.orderlog;

import io.sluice.config.KafkaConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;

/**
 * The topics of Sluice: creates those that are missing, before any producer or consumer starts,
 * since a broker's default would create them with one partition.
 */
public final class KafkaTopics {
  private static final Duration KEEP_ORDERS = Duration.ofDays(7);
  private static final Duration KEEP_EVENTS = Duration.ofDays(1);
  private static final Duration KEEP_DEAD = Duration.ofDays(30);

  /** A new topic is not known to every broker at once. */
  private static final int LOOKS_MAX = 40;

  private static final int LOOK_AGAIN_MS = 250;
  private static final int LOOKS_PER_FAILURE = 8;

  private final Vertx vertx;
  private final KafkaAdmin admin;
  private final KafkaConfig config;

  public KafkaTopics(Vertx vertx, KafkaAdmin admin, KafkaConfig config) {
    this.vertx = vertx;
    this.admin = admin;
    this.config = config;
  }

  /** The topic that takes the dead letters of the orders topic. */
  static String deadLetters(KafkaConfig config) {
    return config.ordersTopic() + "-dead";
  }

  /**
   * Creates what is missing and says what is there. Fails where the broker cannot be asked, or
   * where it refuses to create a topic.
   */
  public Future<TopicInfo> ensure() {
    return ensure(LOOKS_MAX);
  }

  /** What is there now; empty where a topic is missing or one of its partitions has no leader. */
  public Future<Optional<TopicInfo>> look() {
    return admin.describe(names()).map(found -> Optional.ofNullable(info(found)));
  }

  private Future<TopicInfo> ensure(int looksLeft) {
    if (looksLeft <= 0) {
      return Future.failedFuture(
          new LogUnavailableException("Expected the topics to be there, but they are not"));
    }
    return admin
        .describe(names())
        .compose(
            found -> {
              TopicInfo info = info(found);
              return info != null
                  ? Future.succeededFuture(info)
                  : create(found).compose(done -> ensureLater(looksLeft - 1));
            })
        .recover(failure -> afterFailure(failure, looksLeft - LOOKS_PER_FAILURE));
  }

  private Future<TopicInfo> ensureLater(int looksLeft) {
    return vertx.timer(LOOK_AGAIN_MS, TimeUnit.MILLISECONDS).compose(later -> ensure(looksLeft));
  }

  /** A broker that is slow to start is asked again, one that refuses is not. */
  private Future<TopicInfo> afterFailure(Throwable failure, int looksLeft) {
    if (!(failure instanceof RetriableException)) {
      return Future.failedFuture(failure);
    }
    return looksLeft > 0
        ? ensureLater(looksLeft)
        : Future.failedFuture(
            new LogUnavailableException(
                "Expected the broker to tell of its topics, but it does not", failure));
  }

  private Future<Void> create(Map<String, TopicDescription> found) {
    List<Future<Void>> created =
        Stream.of(
                topic(config.ordersTopic(), KEEP_ORDERS),
                topic(config.eventsTopic(), KEEP_EVENTS),
                topic(deadLetters(config), KEEP_DEAD))
            .filter(topic -> !found.containsKey(topic.name()))
            .map(admin::create)
            .toList();
    return Future.join(created).mapEmpty();
  }

  private NewTopic topic(String name, Duration keep) {
    Optional<Short> replicas =
        config.replicationFactor() == 0
            ? Optional.empty()
            : Optional.of((short) config.replicationFactor());
    return new NewTopic(name, Optional.of(config.partitions()), replicas)
        .configs(
            Map.of(
                TopicConfig.CLEANUP_POLICY_CONFIG,
                TopicConfig.CLEANUP_POLICY_DELETE,
                TopicConfig.RETENTION_MS_CONFIG,
                Long.toString(keep.toMillis())));
  }

  private List<String> names() {
    return List.of(config.ordersTopic(), config.eventsTopic(), deadLetters(config));
  }

  private @Nullable TopicInfo info(Map<String, TopicDescription> found) {
    TopicDescription orders = found.get(config.ordersTopic());
    boolean complete =
        found.size() == names().size() && found.values().stream().allMatch(KafkaTopics::isLed);
    if (orders == null || !complete) {
      return null;
    }
    List<String> mismatches =
        names().stream().map(found::get).filter(this::isMismatch).map(this::mismatch).toList();
    return new TopicInfo(orders.topicId().toString(), orders.partitions().size(), mismatches);
  }

  private static boolean isLed(TopicDescription topic) {
    return topic.partitions().stream()
        .noneMatch(partition -> partition.leader() == null || partition.leader().isEmpty());
  }

  private boolean isMismatch(TopicDescription topic) {
    return topic.partitions().size() != config.partitions();
  }

  private String mismatch(TopicDescription topic) {
    return "Expected topic %s to have %d partitions, but it has %d"
        .formatted(topic.name(), config.partitions(), topic.partitions().size());
  }
}
