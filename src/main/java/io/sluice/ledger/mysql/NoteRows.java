package io.sluice.ledger.mysql;

import io.sluice.ledger.rules.OrderNote.Kind;
import io.sluice.model.Order;
import io.sluice.model.OrderNotes;
import io.sluice.model.OrderNotes.Refund;
import io.sluice.model.OrderToken;
import io.vertx.sqlclient.Row;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Adds to orders what the rows of notes say of them. */
final class NoteRows {
  private NoteRows() {}

  /** A row of a note. */
  record Noted(
      OrderToken token,
      Kind kind,
      @Nullable String reference,
      int units,
      long payBeforeMs,
      long atMs) {
    static Noted of(Row row) {
      return new Noted(
          TokenBytes.token(row),
          Kind.valueOf(row.getString(3)),
          row.getString(4),
          row.getInteger(5),
          row.getLong(6),
          row.getLong(7));
    }

    /** Notes of an order are in no order, so the latest deadline counts. */
    Order after(Order order) {
      long updatedAtMs = Math.max(order.updatedAtMs(), atMs);
      OrderNotes notes = order.notes();
      return switch (kind) {
        case PAID, DOUBLE -> order.noted(notes.withPayment(reference), updatedAtMs);
        case EXTENDED -> order.extended(Math.max(order.payBeforeMs(), payBeforeMs), updatedAtMs);
        case ASKED ->
            order.noted(notes.with(refund(reference, Refund.State.REQUESTED)), updatedAtMs);
        case DROPPED ->
            order.noted(notes.with(refund(reference, Refund.State.REJECTED)), updatedAtMs);
      };
    }

    private Refund refund(@Nullable String id, Refund.State state) {
      return new Refund(id == null ? "" : id, units, state);
    }
  }

  /** Changes those of these orders that have notes. */
  static void addTo(Map<OrderToken, Order> orders, List<Noted> notes) {
    for (Noted noted : notes) {
      orders.computeIfPresent(noted.token(), (token, order) -> noted.after(order));
    }
  }
}
