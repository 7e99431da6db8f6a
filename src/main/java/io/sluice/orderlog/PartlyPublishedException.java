package io.sluice.orderlog;

import java.util.BitSet;

/** Not all events of a call were acknowledged; whether the others were published is unknown. */
public final class PartlyPublishedException extends LogUnavailableException {
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
