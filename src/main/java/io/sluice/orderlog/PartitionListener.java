package io.sluice.orderlog;

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
   * These partitions are not assigned any more, or may not be. The fence makes work in flight
   * harmless.
   */
  void revoked(Set<Integer> partitions);

  /**
   * The next records of a partition. The listener bounds its queue with {@link
   * OrderLogConsumer#pause}.
   */
  void polled(LogBatch batch);

  /**
   * The partition cannot be read at its offset, e.g. because that is out of range. It is paused.
   */
  void failed(int partition, Throwable cause);
}
