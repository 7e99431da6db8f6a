package io.sluice.orderlog;

import io.vertx.core.Future;
import java.util.List;

/**
 * Publishes to {@code stock-events}, and dead letters to their topic. At least once, in order per
 * partition.
 */
public interface EventPublisher {

  /**
   * Completes when all events are acknowledged. After a failure some may not be: send all of them
   * again, in order.
   */
  Future<Void> publish(int partition, List<Event> events);

  /**
   * Publishes commands that can never be applied to the dead-letter topic. Acknowledged like {@link
   * #publish}.
   */
  Future<Void> deadLetter(int partition, List<Event> letters);
}
