package io.sluice.orderlog;

import io.vertx.core.Future;
import java.util.BitSet;
import java.util.List;

/**
 * Publishes to {@code stock-events}, and dead letters to their topic. At least once, in order per
 * partition.
 */
public interface EventPublisher {

  /**
   * Completes when all events are acknowledged. After a failure some may not be: send all of them
   * again, in order, except those that a {@link PartlyPublishedException} says were. An event is
   * acknowledged only if those of the same key before it are.
   */
  Future<Void> publish(int partition, List<Event> events);

  /**
   * Publishes commands that can never be applied to the dead-letter topic. Acknowledged like {@link
   * #publish}, but regardless of their keys.
   */
  Future<Void> deadLetter(int partition, List<Event> letters);

  /** Not all events of a call were acknowledged; whether the others were published is unknown. */
  final class PartlyPublishedException extends LogUnavailableException {
    private static final long serialVersionUID = 1L;

    private final BitSet acknowledged;

    /**
     * @param acknowledged by their index in the call
     */
    public PartlyPublishedException(BitSet acknowledged, Throwable cause) {
      super(
          "Expected the acks of all events, but got %d and: %s"
              .formatted(acknowledged.cardinality(), cause.getMessage()),
          cause);
      this.acknowledged = (BitSet) acknowledged.clone();
    }

    /** Whether the event with this index in the call was acknowledged. */
    public boolean isAcknowledged(int index) {
      return acknowledged.get(index);
    }
  }
}
