package io.sluice.orderlog;

/** Hears the events of all partitions, in order per partition, on the context of its reader. */
public interface EventListener {
  void heard(int partition, Event event);

  /**
   * Events of this partition before those that are heard from now on may have been missed. The
   * reason is another topic, records that were deleted before they were read, or an end that was
   * not known before.
   */
  default void missed(int partition) {}
}
