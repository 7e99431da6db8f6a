package io.sluice.ledger.rules;

import static io.sluice.model.OrderStatus.CANCELED;
import static io.sluice.model.OrderStatus.CONFIRMED;
import static io.sluice.model.OrderStatus.PENDING;
import static io.sluice.model.OrderStatus.REFUNDED;
import static io.sluice.model.OrderStatus.REJECTED;

import io.sluice.ledger.rules.OrderMove.Kind;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderNotes;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.model.Refund;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happens to an order after it was booked. A command that its status does not allow, or that
 * was applied before, changes nothing.
 */
final class OrderLife {
  private final BatchWork work;

  OrderLife(BatchWork work) {
    this.work = work;
  }

  // ---- payment

  void confirm(OrderToken token, @Nullable String paymentRef) {
    Order order = work.order(token);
    if (order == null) {
      return;
    }
    if (order.status() == PENDING) {
      work.count(order, -order.qty(), order.qty());
      work.move(
          order.paid(paymentRef, work.nowMs()),
          Kind.CONFIRM,
          order.qty(),
          paymentRef,
          EventType.ORDER_CONFIRMED);
    } else if (paysTooLate(order)) {
      work.move(
          order.paidLate(paymentRef, work.nowMs()),
          Kind.LATE,
          0,
          paymentRef,
          EventType.PAYMENT_LATE);
    } else if (paymentRef != null) {
      paidAgain(order, paymentRef);
    }
  }

  private static boolean paysTooLate(Order order) {
    boolean endedUnpaid = order.status() == CANCELED || order.status() == REJECTED;
    return endedUnpaid && order.latePaidAtMs() == 0;
  }

  /** The order was paid, or paid too late, before: is this the same payment? */
  private void paidAgain(Order order, String paymentRef) {
    OrderNotes notes = order.notes();
    boolean wasConfirmed = order.status() == CONFIRMED || order.status() == REFUNDED;
    boolean adopts = wasConfirmed && notes.paymentRef() == null;
    if (notes.knowsPayment(paymentRef) || (notes.takesNoPayment() && !adopts)) {
      return;
    }
    work.note(
        order.noted(notes.withPayment(paymentRef), work.nowMs()),
        adopts ? OrderNote.Kind.PAID : OrderNote.Kind.DOUBLE,
        paymentRef,
        0,
        adopts ? EventType.PAYMENT_REFERENCED : EventType.PAYMENT_DOUBLE);
  }

  // ---- the time to pay

  /** Counts from now on, by the ledger's clock; never shortens the time. */
  void extend(OrderToken token, int seconds) {
    Order order = work.order(token);
    if (order == null || order.status() != PENDING || order.notes().takesNoExtension()) {
      return;
    }
    long payBeforeMs = work.nowMs() + seconds * 1_000L;
    if (payBeforeMs > order.payBeforeMs()) {
      work.note(
          order.extended(payBeforeMs, work.nowMs()),
          OrderNote.Kind.EXTENDED,
          null,
          0,
          EventType.ORDER_EXTENDED);
    }
  }

  void cancel(OrderToken token, Reason reason) {
    Order order = work.order(token);
    // An extension may have been booked since the owner has looked, so this one is not over.
    boolean isEarly =
        reason == Reason.TIMEOUT
            && order != null
            && order.notes().extended()
            && order.payBeforeMs() > work.nowMs();
    if (order != null && order.status() == PENDING && !isEarly) {
      work.count(order, -order.qty(), 0);
      Order after = order.changed(CANCELED, reason, work.nowMs());
      work.move(after, Kind.CANCEL, order.qty(), null, EventType.ORDER_CANCELED);
      long dueMs = reason == Reason.TIMEOUT ? order.payBeforeMs() : 0;
      work.free(
          after,
          order.qty(),
          new OutboxPayload.Release(token, order.epoch(), order.seq(), 0, dueMs));
    }
  }

  // ---- refunds

  /** All that is left; requests that are open end. */
  void refund(OrderToken token) {
    Order order = unarchived(token);
    if (order == null || order.status() != CONFIRMED) {
      return;
    }
    List<Refund> open =
        order.notes().refunds().values().stream()
            .filter(refund -> refund.state() == Refund.State.REQUESTED)
            .sorted((a, b) -> a.id().compareTo(b.id()))
            .toList();
    Order now = order;
    for (Refund refund : open) {
      now = drop(now, refund);
    }
    giveBack(now, now.notes(), now.unitsLeft(), null);
  }

  void refund(Command.RefundPart part) {
    Order order = unarchived(part.token());
    if (order == null) {
      return;
    }
    Refund known = order.notes().refunds().get(part.refundId());
    if (part.step() == Command.RefundPart.Step.REQUEST) {
      if (known == null) {
        request(order, new Refund(part.refundId(), part.qty(), Refund.State.REQUESTED));
      }
    } else if (known != null
        && known.state() == Refund.State.REQUESTED
        && order.status() == CONFIRMED) {
      if (part.step() == Command.RefundPart.Step.REJECT) {
        drop(order, known);
      } else {
        OrderNotes noted = order.notes().with(known.in(Refund.State.COMPLETED));
        giveBack(order, noted, known.qty(), known.id());
      }
    }
  }

  /** No unit of an archived order moves any more. */
  private @Nullable Order unarchived(OrderToken token) {
    Order order = work.order(token);
    return order == null || order.archived() ? null : order;
  }

  private void request(Order order, Refund refund) {
    if (order.status() == CONFIRMED && order.hasRoomToRefund(refund.qty())) {
      work.note(
          order.noted(order.notes().with(refund), work.nowMs()),
          OrderNote.Kind.ASKED,
          refund.id(),
          refund.qty(),
          EventType.REFUND_REQUESTED);
    }
  }

  private Order drop(Order order, Refund refund) {
    Order after = order.noted(order.notes().with(refund.in(Refund.State.REJECTED)), work.nowMs());
    work.note(after, OrderNote.Kind.DROPPED, refund.id(), refund.qty(), EventType.REFUND_REJECTED);
    return after;
  }

  private void giveBack(Order order, OrderNotes noted, int units, @Nullable String refundId) {
    Order after = order.refunded(units, noted, work.nowMs());
    work.count(order, 0, -units);
    work.move(
        after,
        Kind.REFUND,
        units,
        refundId,
        after.status() == CONFIRMED ? EventType.REFUND_COMPLETED : EventType.ORDER_REFUNDED);
    work.free(
        after,
        units,
        new OutboxPayload.Release(order.token(), order.epoch(), order.seq(), after.unitsLeft()));
  }
}
