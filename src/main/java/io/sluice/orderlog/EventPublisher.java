package io.sluice.orderlog;

import io.vertx.core.Future;
import java.util.List;

/**
 * Writes to {@code stock-events}, and dead letters to their topic. At least once, in order per
 * partition.
 */
public interface EventPublisher {

  /**
   * Completes when all are acknowledged; failed means that some may not be: send them again, in
   * order.
   */
  Future<Void> publish(int partition, List<Event> events);

  /** The same for commands that can never be applied, to the dead-letter topic. */
  Future<Void> deadLetter(int partition, List<Event> letters);
}
