package io.sluice.orderlog.kafka;

import io.sluice.orderlog.TopicInfo;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;

/**
 * The topics as they are at one moment. Each partition is judged alone: one without a leader stops
 * nothing but itself.
 *
 * @param leaderless partitions of the orders topic that nobody can append to or read
 * @param sideFaults what is missing of the topics of events and dead letters, in words
 */
record TopicsSeen(TopicInfo info, Set<Integer> leaderless, List<String> sideFaults) {
  boolean isWhole() {
    return leaderless.isEmpty() && sideFaults.isEmpty();
  }

  /** Tells an operator what is missing, if anything is. */
  void warn(Logger log) {
    if (!leaderless.isEmpty()) {
      log.atWarn()
          .addKeyValue("partitions", leaderless)
          .log(
              "partitions of the order log have no leader; their orders are booked directly"
                  + " within the budget, or refused, the others go on");
    }
    sideFaults.forEach(
        fault ->
            log.atWarn()
                .addKeyValue("fault", fault)
                .log("what is published there waits in the outbox, all else goes on"));
  }
}
