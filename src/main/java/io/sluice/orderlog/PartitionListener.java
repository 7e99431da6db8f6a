package io.sluice.orderlog;

import java.util.Set;

/**
 * Hears which partitions this instance owns and what they hold. Called on the context that started
 * the consumer.
 */
public interface PartitionListener {

  /**
   * These partitions are ours now. They stay paused until {@link OrderLogConsumer#startAt} names
   * the offset.
   */
  void assigned(Set<Integer> partitions);

  /**
   * These are not ours any more, or may not be; whatever is in flight is made harmless by the
   * fence.
   */
  void revoked(Set<Integer> partitions);

  /**
   * The next records of a partition. The listener bounds its queue by {@link
   * OrderLogConsumer#pause}.
   */
  void polled(LogBatch batch);

  /**
   * This partition cannot be read where it should be, e.g. the offset is out of range. It is
   * paused.
   */
  void failed(int partition, Throwable cause);
}
