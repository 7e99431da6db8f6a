package io.sluice.orderlog;

import io.vertx.core.Future;

/**
 * Reads all partitions of {@code stock-events} from their ends on. Each instance has one, without a
 * consumer group.
 */
public interface EventFeed {

  /** Called on the context that started the feed, in order per partition. */
  interface Listener {
    void heard(int partition, Event event);

    /**
     * Events of this partition before those that are heard from now on may have been missed. The
     * reason is another topic, records that were deleted before they were read, or an end that was
     * not known before.
     */
    default void missed(int partition) {}
  }

  Future<Void> start(Listener listener);

  Future<Void> close();
}
