package io.sluice.orderlog;

import io.vertx.core.Future;
import java.util.Set;

/**
 * Notified of the partitions assigned to this instance, and of their records. Called on the context
 * that started the consumer.
 */
public interface PartitionListener {

  /**
   * These partitions are assigned. They stay paused until {@link OrderLogConsumer#startAt} sets the
   * offset.
   */
  void assigned(Set<Integer> partitions);

  /**
   * These partitions are not assigned any more, or may not be. Their next owner is named once the
   * returned future has completed, or after a short time. The fence makes work in flight harmless,
   * but each would take the fence from the other.
   *
   * @return completes when nothing that was begun for these partitions is in flight
   */
  Future<Void> revoked(Set<Integer> partitions);

  /**
   * The next records of a partition, or offsets that are of none. The listener bounds its queue
   * with {@link OrderLogConsumer#pause}.
   */
  void polled(LogBatch batch);

  /**
   * The partition cannot be read at its offset, e.g. because that is out of range. It is not read
   * until {@link OrderLogConsumer#startAt} has set an offset again.
   */
  void failed(int partition, Throwable cause);
}
