package io.sluice.orderlog.kafka;

import io.sluice.orderlog.TopicInfo;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;

/**
 * The topics at one moment. Each partition is judged alone: one without a leader affects no other.
 *
 * @param leaderless partitions of the orders topic that cannot be appended to or read
 * @param outOfSync partitions of the orders topic that can be read but not appended to, since they
 *     have fewer in-sync replicas than {@code min.insync.replicas}
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
              "partitions of the order log have no leader; their orders are booked directly within"
                  + " the budget, or refused");
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
