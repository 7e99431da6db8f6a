package io.sluice.orderlog.kafka;

import io.sluice.async.AsyncLoop;
import io.sluice.config.KafkaConfig;
import io.sluice.orderlog.LogUnavailableException;
import io.sluice.orderlog.TopicInfo;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topics of Sluice. Creates the missing ones before any producer or consumer starts, because a
 * broker's automatic creation would give them one partition.
 */
public record KafkaTopics(Vertx vertx, KafkaAdmin admin, KafkaConfig config) {
  private static final Duration KEEP_EVENTS = Duration.ofDays(1);
  private static final Duration KEEP_DEAD = Duration.ofDays(30);

  /** A new topic is not known to every broker at once, so it is looked for repeatedly. */
  private static final int LOOKS_MAX = 40;

  private static final int LOOK_AGAIN_MS = 250;
  private static final int LOOKS_PER_FAILURE = 8;

  /**
   * The number of looks for which a start waits for leaders; after that it continues without the
   * missing ones.
   */
  private static final int LOOKS_FOR_LEADERS = 12;

  private static final Logger log = LoggerFactory.getLogger(KafkaTopics.class);

  /** The name of the dead-letter topic of the orders topic. */
  static String deadLetters(KafkaConfig config) {
    return config.ordersTopic() + "-dead";
  }

  /**
   * Creates missing topics and returns what exists. Fails if the broker cannot be reached or
   * refuses to create a topic. Waits only briefly for a partition without a leader.
   */
  public Future<TopicInfo> ensure() {
    AtomicInteger looksLeft = new AtomicInteger(LOOKS_MAX);
    return AsyncLoop.untilPresent(() -> lookOrCreate(looksLeft));
  }

  /**
   * The topics as they are now; empty if the orders topic is missing. A missing topic of events or
   * dead letters is created again: records for it wait in the outbox.
   */
  Future<Optional<TopicsSeen>> look() {
    Future<Integer> fewest = minInSync();
    return admin
        .describe(names())
        .onSuccess(this::createSideTopics)
        .compose(
            found ->
                found.containsKey(config.ordersTopic())
                    ? fewest.map(count -> Optional.of(seen(found, count)))
                    : Future.succeededFuture(Optional.empty()));
  }

  /** Read with each look, since an operator may change it; a broker may refuse to tell. */
  private Future<Integer> minInSync() {
    return admin
        .settings(config.ordersTopic())
        .map(TopicSafety::minInSync)
        .otherwise(TopicSafety.MIN_IN_SYNC_UNKNOWN);
  }

  /**
   * Never creates the orders topic: a new one would not be the log that the ledger was founded
   * with.
   */
  private void createSideTopics(Map<String, TopicDescription> found) {
    if (found.containsKey(config.ordersTopic()) && found.size() < names().size()) {
      create(found)
          .onFailure(
              failure ->
                  log.atDebug()
                      .addKeyValue("cause", failure.toString())
                      .log("topic could not be created; retried with the next probe"));
    }
  }

  private Future<Optional<TopicInfo>> lookOrCreate(AtomicInteger looksLeft) {
    return admin
        .describe(names())
        .compose(
            found -> {
              if (found.size() < names().size()) {
                return create(found).compose(done -> later(looksLeft, 1, null));
              }
              TopicsSeen seen = seen(found, TopicSafety.MIN_IN_SYNC_UNKNOWN);
              if (seen.isWhole() || looksLeft.get() <= LOOKS_MAX - LOOKS_FOR_LEADERS) {
                seen.warn(log);
                return Future.succeededFuture(Optional.of(seen.info()));
              }
              return later(looksLeft, 1, null);
            })
        .recover(
            failure ->
                // A broker that is still starting is retried; one that refuses is not.
                failure instanceof RetriableException
                    ? later(looksLeft, LOOKS_PER_FAILURE, failure)
                    : Future.failedFuture(failure));
  }

  /** Returns empty after a pause, for another look; fails if no look is left. */
  private Future<Optional<TopicInfo>> later(
      AtomicInteger looksLeft, int cost, @Nullable Throwable failure) {
    if (looksLeft.addAndGet(-cost) <= 0) {
      return Future.failedFuture(
          new LogUnavailableException(
              failure == null
                  ? "Expected the topics to be there, but they are not"
                  : "Expected the broker to tell of its topics, but it does not",
              failure));
    }
    return vertx.timer(LOOK_AGAIN_MS, TimeUnit.MILLISECONDS).map(Optional.empty());
  }

  private Future<Void> create(Map<String, TopicDescription> found) {
    return admin
        .brokers()
        .compose(
            brokers ->
                Future.join(
                    Stream.of(
                            topic(config.ordersTopic(), TopicSafety.KEEP_ORDERS, brokers),
                            topic(config.eventsTopic(), KEEP_EVENTS, brokers),
                            topic(deadLetters(config), KEEP_DEAD, brokers))
                        .filter(topic -> !found.containsKey(topic.name()))
                        .map(admin::create)
                        .toList()))
        .mapEmpty();
  }

  /**
   * The weaknesses of the order log for a sale, as texts; each is warned of once. It stops nobody:
   * a developer has one broker.
   */
  public Future<List<String>> weaknesses() {
    return admin
        .describe(List.of(config.ordersTopic()))
        .compose(
            found ->
                admin
                    .settings(config.ordersTopic())
                    .map(
                        settings ->
                            TopicSafety.weaknesses(
                                orders(found).topicId(), fewestReplicas(found), settings)))
        .otherwise(failure -> List.of("its settings cannot be read"))
        .onSuccess(
            found ->
                found.forEach(
                    weakness ->
                        log.atWarn()
                            .addKeyValue("topic", config.ordersTopic())
                            .addKeyValue("weakness", weakness)
                            .log("order log is less safe than a sale needs")));
  }

  private TopicDescription orders(Map<String, TopicDescription> found) {
    return Objects.requireNonNull(found.get(config.ordersTopic()));
  }

  private int fewestReplicas(Map<String, TopicDescription> found) {
    return orders(found).partitions().stream()
        .mapToInt(partition -> partition.replicas().size())
        .min()
        .orElse(0);
  }

  private NewTopic topic(String name, Duration keep, int brokers) {
    return TopicSafety.planned(
        name, config.partitions(), keep, config.replicationFactor(), brokers);
  }

  private List<String> names() {
    return List.of(config.ordersTopic(), config.eventsTopic(), deadLetters(config));
  }

  /**
   * @param found must include the orders topic
   * @param minInSync with fewer in-sync replicas a partition takes no records
   */
  private TopicsSeen seen(Map<String, TopicDescription> found, int minInSync) {
    TopicDescription orders = orders(found);
    List<String> mismatches =
        names().stream()
            .map(found::get)
            .filter(Objects::nonNull)
            .filter(this::isMismatch)
            .map(this::mismatch)
            .toList();
    int count = orders.partitions().size();
    int used = Math.min(count, config.partitions());
    TopicInfo info = new TopicInfo(orders.topicId().toString(), used, count - used, mismatches);
    Set<Integer> leaderless = leaderless(orders);
    Set<Integer> outOfSync =
        partitions(orders, partition -> partition.isr().size() < minInSync).stream()
            .filter(partition -> !leaderless.contains(partition))
            .collect(Collectors.toCollection(TreeSet::new));
    List<String> sideFaults =
        names().stream()
            .filter(name -> !name.equals(config.ordersTopic()))
            .flatMap(name -> fault(name, found.get(name)).stream())
            .toList();
    return new TopicsSeen(info, leaderless, outOfSync, sideFaults);
  }

  private static Optional<String> fault(String name, @Nullable TopicDescription topic) {
    if (topic == null) {
      return Optional.of("topic " + name + " is missing");
    }
    Set<Integer> leaderless = leaderless(topic);
    return leaderless.isEmpty()
        ? Optional.empty()
        : Optional.of("no leader for partitions " + leaderless + " of topic " + name);
  }

  private static Set<Integer> leaderless(TopicDescription topic) {
    return partitions(topic, partition -> !KafkaAdmin.hasLeader(partition));
  }

  private static Set<Integer> partitions(
      TopicDescription topic, Predicate<TopicPartitionInfo> which) {
    return topic.partitions().stream()
        .filter(which)
        .map(TopicPartitionInfo::partition)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private boolean isMismatch(TopicDescription topic) {
    return topic.partitions().size() < config.partitions();
  }

  private String mismatch(TopicDescription topic) {
    return "Expected topic %s to have %d partitions, but it has %d"
        .formatted(topic.name(), config.partitions(), topic.partitions().size());
  }

  /**
   * The topics at one moment. Each partition is judged alone: one without a leader affects no
   * other.
   *
   * @param leaderless partitions of the orders topic that cannot be appended to or read
   * @param outOfSync partitions of the orders topic that can be read but not appended to, since
   *     they have fewer in-sync replicas than {@code min.insync.replicas}
   * @param sideFaults what is missing of the topics of events and dead letters, as text
   */
  record TopicsSeen(
      TopicInfo info, Set<Integer> leaderless, Set<Integer> outOfSync, List<String> sideFaults) {
    boolean isWhole() {
      return leaderless.isEmpty() && outOfSync.isEmpty() && sideFaults.isEmpty();
    }

    /** Whether this partition of the orders topic can be appended to. */
    boolean takes(int partition) {
      return !leaderless.contains(partition) && !outOfSync.contains(partition);
    }

    /** Warns of everything that is missing. */
    void warn(Logger log) {
      if (!leaderless.isEmpty()) {
        log.atWarn()
            .addKeyValue("partitions", leaderless)
            .log(
                "partitions of the order log have no leader; their orders are booked directly"
                    + " within the budget, or refused");
      }
      if (!outOfSync.isEmpty()) {
        log.atWarn()
            .addKeyValue("partitions", outOfSync)
            .log(
                "partitions of the order log have too few in-sync replicas; their orders are booked"
                    + " directly within the budget, or refused");
      }
      sideFaults.forEach(
          fault ->
              log.atWarn()
                  .addKeyValue("fault", fault)
                  .log("topic is incomplete; its events or dead letters wait in the outbox"));
    }
  }

  /**
   * How safe topics must be so that an acknowledged record survives the loss of a broker and is
   * there for a rebuild. These are the settings of topics that Sluice creates, and the warnings
   * about an order log that it finds.
   */
  static final class TopicSafety {
    /** From this number of brokers on, one can be lost without losing records or stopping. */
    static final int REPLICAS = 3;

    static final int MIN_IN_SYNC = 2;

    /** If the setting cannot be read, no partition is taken for one without enough replicas. */
    static final int MIN_IN_SYNC_UNKNOWN = 0;

    static final Duration KEEP_ORDERS = Duration.ofDays(7);

    private static final String REPLICATION = "replication.factor";
    private static final long UNLIMITED = -1;

    private TopicSafety() {}

    /**
     * The topic to be created.
     *
     * @param configured 0 = {@link #REPLICAS} if there are as many brokers, else the broker's
     *     default
     */
    static NewTopic planned(
        String name, int partitions, Duration keep, int configured, int brokers) {
      int replicas = configured == 0 && brokers >= REPLICAS ? REPLICAS : configured;
      Map<String, String> settings = new HashMap<>();
      settings.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
      settings.put(TopicConfig.RETENTION_MS_CONFIG, Long.toString(keep.toMillis()));
      if (replicas >= REPLICAS) {
        settings.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, String.valueOf(MIN_IN_SYNC));
      }
      Optional<Short> factor = replicas == 0 ? Optional.empty() : Optional.of((short) replicas);
      return new NewTopic(name, Optional.of(partitions), factor).configs(settings);
    }

    /**
     * The weaknesses, as texts.
     *
     * @param id of the topic; all zero where the broker gives topics none
     * @param replicas the fewest of any partition
     * @param settings of the topic, by name
     */
    static List<String> weaknesses(Uuid id, int replicas, Map<String, String> settings) {
      List<String> found = new ArrayList<>();
      if (id.equals(Uuid.ZERO_UUID)) {
        found.add("its id is all zero, so one that was deleted and made again is not noticed");
      }
      if (replicas < REPLICAS) {
        found.add(REPLICATION + " is " + replicas + ", should be " + REPLICAS);
      }
      if (number(settings, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, MIN_IN_SYNC) < MIN_IN_SYNC) {
        found.add(
            text(settings, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, "at least " + MIN_IN_SYNC));
      }
      long keptMs = number(settings, TopicConfig.RETENTION_MS_CONFIG, UNLIMITED);
      if (keptMs != UNLIMITED && keptMs < KEEP_ORDERS.toMillis()) {
        found.add(
            text(settings, TopicConfig.RETENTION_MS_CONFIG, "at least " + KEEP_ORDERS.toMillis()));
      }
      if (number(settings, TopicConfig.RETENTION_BYTES_CONFIG, UNLIMITED) != UNLIMITED) {
        found.add(text(settings, TopicConfig.RETENTION_BYTES_CONFIG, String.valueOf(UNLIMITED)));
      }
      if (settings.getOrDefault(TopicConfig.CLEANUP_POLICY_CONFIG, "").contains("compact")) {
        found.add(
            text(settings, TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE));
      }
      if ("true".equals(settings.get(TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG))) {
        found.add(text(settings, TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG, "false"));
      }
      return found;
    }

    /**
     * How many in-sync replicas a partition needs to take records, by the settings of its topic.
     */
    static int minInSync(Map<String, String> settings) {
      return (int) number(settings, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, MIN_IN_SYNC_UNKNOWN);
    }

    private static String text(Map<String, String> settings, String name, String wanted) {
      return "%s is %s, should be %s".formatted(name, settings.get(name), wanted);
    }

    private static long number(Map<String, String> settings, String name, long otherwise) {
      String value = settings.get(name);
      return value == null ? otherwise : Long.parseLong(value);
    }
  }
}
