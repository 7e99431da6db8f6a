package io.sluice.ledger.rules;

import io.sluice.model.Order;
import org.jspecify.annotations.Nullable;

/**
 * Something that was recorded of an order and moves no unit: one more row, which is never changed.
 * Its number is the number of notes so far, this one included.
 *
 * @param after the order after this note
 * @param reference of the payment, or the id of the refund; null for an extension
 * @param units that a refund is about; else 0
 */
public record OrderNote(Order after, Kind kind, @Nullable String reference, int units) {

  /** The kind of note. The names are stored; do not rename them. */
  public enum Kind {
    /** The order, confirmed before, was paid with this payment. */
    PAID,
    /** It was paid once more, with this payment. */
    DOUBLE,
    /** There is more time to pay. */
    EXTENDED,
    /** A refund was requested. */
    ASKED,
    /** A requested refund was rejected, or replaced by one of everything. */
    DROPPED
  }

  public int number() {
    return after.notes().count();
  }

  /** The new deadline of an extension; else 0. */
  public long payBeforeMs() {
    return kind == Kind.EXTENDED ? after.payBeforeMs() : 0;
  }
}
