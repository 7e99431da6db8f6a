package io.sluice.ledger.rules;

import io.sluice.model.Order;

/**
 * A change of an order that exists: one more row, which is never changed. Its step is the number of
 * changes so far, this one included.
 *
 * @param after the order after this change
 */
public record OrderMove(Order after, Kind kind) {

  /** What happened. The names are stored; do not rename them. */
  public enum Kind {
    CONFIRM,
    CANCEL,
    REFUND,
    /** A payment came after the end; no unit moves. */
    LATE
  }

  public int step() {
    return (int) after.version() - 1;
  }

  /** The units that moved. */
  public int units() {
    return kind == Kind.LATE ? 0 : after.qty();
  }
}
