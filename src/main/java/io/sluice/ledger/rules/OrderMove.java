package io.sluice.ledger.rules;

import io.sluice.model.Order;
import org.jspecify.annotations.Nullable;

/**
 * A change of an order that exists: one more row, which is never changed. Its step is the number of
 * changes so far, this one included.
 *
 * @param after the order after this change
 * @param units that moved
 * @param reference of the payment, or the id of the refund; null if none was given
 */
public record OrderMove(Order after, Kind kind, int units, @Nullable String reference) {

  /** What happened. The names are stored; do not rename them. */
  public enum Kind {
    CONFIRM,
    CANCEL,
    REFUND,
    /** A payment came after the end; no unit moves. */
    LATE
  }

  /** The version counts the notes as well. */
  public int step() {
    return (int) after.version() - 1 - after.notes().count();
  }
}
