package io.sluice.orderlog.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;

/**
 * How safe topics must be so that an acknowledged record survives the loss of a broker and is there
 * for a rebuild. These are the settings of topics that Sluice creates, and the warnings about an
 * order log that it finds.
 */
final class TopicSafety {
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
   * @param configured 0 = {@link #REPLICAS} if there are as many brokers, else the broker's default
   */
  static NewTopic planned(String name, int partitions, Duration keep, int configured, int brokers) {
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
   * @param replicas the fewest of any partition
   * @param settings of the topic, by name
   */
  static List<String> weaknesses(int replicas, Map<String, String> settings) {
    List<String> found = new ArrayList<>();
    if (replicas < REPLICAS) {
      found.add(REPLICATION + " is " + replicas + ", should be " + REPLICAS);
    }
    if (number(settings, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, MIN_IN_SYNC) < MIN_IN_SYNC) {
      found.add(text(settings, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, "at least " + MIN_IN_SYNC));
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

  /** How many in-sync replicas a partition needs to take records, by the settings of its topic. */
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
