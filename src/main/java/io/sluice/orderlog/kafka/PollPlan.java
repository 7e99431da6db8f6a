package io.sluice.orderlog.kafka;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * The work of the poll thread before its next poll.
 *
 * @param seeks partitions to read from another offset
 * @param running partitions whose records are delivered; all others are paused
 */
public record PollPlan(Map<Integer, Long> seeks, Set<Integer> running) {

  /** Seeks, resumes and pauses; partitions that are not assigned any more are skipped. */
  void applyTo(Consumer<?, ?> consumer) {
    Set<TopicPartition> resumed = new HashSet<>();
    Set<TopicPartition> paused = new HashSet<>();
    for (TopicPartition assigned : consumer.assignment()) {
      Long offset = seeks.get(assigned.partition());
      if (offset != null) {
        consumer.seek(assigned, offset);
      }
      (running.contains(assigned.partition()) ? resumed : paused).add(assigned);
    }
    consumer.resume(resumed);
    consumer.pause(paused);
  }
}
