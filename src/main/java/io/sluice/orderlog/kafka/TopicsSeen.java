package io.sluice.orderlog.kafka;

import io.sluice.orderlog.TopicInfo;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;

/**
 * The topics at one moment. Each partition is judged alone: one without a leader affects no other.
 *
 * @param leaderless partitions of the orders topic that cannot be appended to or read
 * @param sideFaults what is missing of the topics of events and dead letters, as text
 */
record TopicsSeen(TopicInfo info, Set<Integer> leaderless, List<String> sideFaults) {
  boolean isWhole() {
    return leaderless.isEmpty() && sideFaults.isEmpty();
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
    sideFaults.forEach(
        fault ->
            log.atWarn()
                .addKeyValue("fault", fault)
                .log("topic is incomplete; its events or dead letters wait in the outbox"));
  }
}
