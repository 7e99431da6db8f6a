package io.sluice.orderlog.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/** Where the partitions of a consumer are read next. Used on its poll thread. */
final class Positions {
  /**
   * How far a poll has brought a partition.
   *
   * @param from its position before
   * @param to its position after; everything below was delivered, or is for no reader
   */
  record Move(long from, long to) {}

  private final Consumer<?, ?> consumer;
  private final Map<Integer, Long> known = new HashMap<>();

  /** The failure of asking for a position, which the next poll throws. */
  private @Nullable RuntimeException postponed;

  Positions(Consumer<?, ?> consumer) {
    this.consumer = consumer;
  }

  /** Called when a plan has been applied. */
  void planned(PollPlan plan) {
    known.putAll(plan.seeks());
    RuntimeException found = postponed;
    if (found != null) {
      postponed = null;
      throw found;
    }
  }

  /** How far a poll has brought these partitions. Never throws: its records must be delivered. */
  Map<Integer, Move> moves(ConsumerRecords<?, ?> records, Set<Integer> running) {
    Map<Integer, Move> moves = new HashMap<>();
    for (TopicPartition from : consumer.assignment()) {
      Long before = known.get(from.partition());
      if (before != null && running.contains(from.partition())) {
        long read = endOf(records.records(from), before);
        long after = Math.max(read, position(from, read));
        moves.put(from.partition(), new Move(before, after));
        known.put(from.partition(), after);
      }
    }
    return moves;
  }

  private static long endOf(List<? extends ConsumerRecord<?, ?>> records, long before) {
    return records.isEmpty() ? before : records.get(records.size() - 1).offset() + 1;
  }

  /** Without I/O, unless the position must be validated, which the next poll does. */
  private long position(TopicPartition partition, long atLeast) {
    try {
      return consumer.position(partition, Duration.ZERO);
    } catch (TimeoutException | WakeupException later) {
      return atLeast;
    } catch (RuntimeException ofTheNextPoll) {
      postponed = ofTheNextPoll;
      return atLeast;
    }
  }
}
