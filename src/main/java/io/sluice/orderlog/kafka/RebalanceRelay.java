package io.sluice.orderlog.kafka;

import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;

/**
 * Is notified of rebalances on the poll thread, during a poll. Gives each new partition a position
 * and pauses it before that poll continues; otherwise the poll would look for a committed offset,
 * find none, and throw. The position has no effect: nothing is read before an offset is set.
 */
final class RebalanceRelay implements ConsumerRebalanceListener {
  private static final long PLACEHOLDER_OFFSET = 0;

  /** Called on the poll thread. */
  interface Listener {
    void assigned(Set<Integer> partitions);

    /** The rebalance continues when this returns. */
    void revoked(Set<Integer> partitions);

    /** Others may own these partitions already. */
    void lost(Set<Integer> partitions);
  }

  private final Consumer<?, ?> consumer;
  private final Listener listener;
  private volatile String memberId = "";

  RebalanceRelay(Consumer<?, ?> consumer, Listener listener) {
    this.consumer = consumer;
    this.listener = listener;
  }

  /** This member's id since the last rebalance; from any thread. */
  String memberId() {
    return memberId;
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    memberId = consumer.groupMetadata().memberId();
    consumer.pause(partitions);
    partitions.forEach(partition -> consumer.seek(partition, PLACEHOLDER_OFFSET));
    if (!partitions.isEmpty()) {
      listener.assigned(numbers(partitions));
    }
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    if (!partitions.isEmpty()) {
      listener.revoked(numbers(partitions));
    }
  }

  @Override
  public void onPartitionsLost(Collection<TopicPartition> partitions) {
    if (!partitions.isEmpty()) {
      listener.lost(numbers(partitions));
    }
  }

  private static Set<Integer> numbers(Collection<TopicPartition> partitions) {
    return partitions.stream().map(TopicPartition::partition).collect(Collectors.toSet());
  }
}
