package io.sluice.ledger.rules;

import static io.sluice.model.OrderStatus.CANCELED;
import static io.sluice.model.OrderStatus.CONFIRMED;
import static io.sluice.model.OrderStatus.PENDING;
import static io.sluice.model.OrderStatus.REFUNDED;
import static io.sluice.model.OrderStatus.REJECTED;

import io.sluice.ledger.rules.BatchChanges.OrderMove;
import io.sluice.ledger.rules.BatchChanges.OrderMove.Kind;
import io.sluice.ledger.rules.BatchChanges.OrderNote;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderNotes;
import io.sluice.model.OrderNotes.Refund;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The life of an order after it was booked, with all its lines together. A command that its status
 * does not allow, or that was applied before, changes nothing.
 */
record OrderLife(BatchWork work) {
  // ---- payment

  void confirm(OrderToken token, @Nullable String paymentRef) {
    List<Order> lines = work.linesOf(token);
    if (lines.isEmpty()) {
      return;
    }
    Order lead = lines.get(0);
    if (lead.status() == PENDING) {
      for (Order line : lines) {
        work.count(line, -line.qty(), line.qty());
        work.move(line.paid(paymentRef, work.nowMs()), Kind.CONFIRM, line.qty(), paymentRef);
      }
      work.tell(EventType.ORDER_CONFIRMED, lead.token());
    } else if (paysTooLate(lead)) {
      work.move(lead.paidLate(paymentRef, work.nowMs()), Kind.LATE, 0, paymentRef);
      work.tell(EventType.PAYMENT_LATE, lead.token());
    } else if (paymentRef != null) {
      paidAgain(lead, paymentRef);
    }
  }

  private static boolean paysTooLate(Order order) {
    boolean endedUnpaid = order.status() == CANCELED || order.status() == REJECTED;
    return endedUnpaid && order.latePaidAtMs() == 0;
  }

  /** The order was paid, or paid too late, before: is this the same payment? */
  private void paidAgain(Order lead, String paymentRef) {
    OrderNotes notes = lead.notes();
    boolean wasConfirmed = lead.status() == CONFIRMED || lead.status() == REFUNDED;
    boolean adopts = wasConfirmed && notes.paymentRef() == null;
    if (notes.knowsPayment(paymentRef) || (notes.takesNoPayment() && !adopts)) {
      return;
    }
    work.note(
        lead.noted(notes.withPayment(paymentRef), work.nowMs()),
        adopts ? OrderNote.Kind.PAID : OrderNote.Kind.DOUBLE,
        paymentRef,
        0);
    work.tell(
        adopts ? EventType.PAYMENT_REFERENCED : EventType.PAYMENT_DOUBLE, lead.token(), paymentRef);
  }

  // ---- the time to pay

  /**
   * Counts from now on, by the ledger's clock; never shortens the time. The time of an order is
   * that of its lead.
   */
  void extend(OrderToken token, int seconds) {
    List<Order> lines = work.linesOf(token);
    Order lead = lines.isEmpty() ? null : lines.get(0);
    if (lead == null || lead.status() != PENDING || lead.notes().takesNoExtension()) {
      return;
    }
    long payBeforeMs = work.nowMs() + seconds * 1_000L;
    if (payBeforeMs > lead.payBeforeMs()) {
      work.note(lead.extended(payBeforeMs, work.nowMs()), OrderNote.Kind.EXTENDED, null, 0);
      work.tell(EventType.ORDER_EXTENDED, lead.token());
    }
  }

  void cancel(OrderToken token, Reason reason) {
    List<Order> lines = work.linesOf(token);
    Order lead = lines.isEmpty() ? null : lines.get(0);
    if (lead == null || lead.status() != PENDING || isEarly(lead, reason)) {
      return;
    }
    for (Order line : lines) {
      work.count(line, -line.qty(), 0);
      work.move(line.changed(CANCELED, reason, work.nowMs()), Kind.CANCEL, line.qty(), null);
    }
    work.tell(EventType.ORDER_CANCELED, lead.token());
    long dueMs = reason == Reason.TIMEOUT ? lead.payBeforeMs() : 0;
    for (Order line : work.linesOf(token)) {
      work.free(line, line.qty(), true, dueMs);
    }
  }

  /** An extension may have been booked since the owner has looked, so this one is not over. */
  private boolean isEarly(Order lead, Reason reason) {
    return reason == Reason.TIMEOUT && lead.notes().extended() && lead.payBeforeMs() > work.nowMs();
  }

  // ---- refunds

  /** All that is left; requests that are open end. */
  void refund(Command.Refund command) {
    List<Order> lines = unarchived(command.token());
    if (lines.stream().noneMatch(line -> line.status() == CONFIRMED)) {
      return;
    }
    List<Order> live = lines.stream().filter(line -> line.status() == CONFIRMED).toList();
    List<Order> refunded = live.stream().map(line -> refundRest(line, command.restock())).toList();
    work.tell(EventType.ORDER_REFUNDED, lines.get(0).token());
    for (int i = 0; i < live.size(); i++) {
      work.free(refunded.get(i), live.get(i).unitsLeft(), command.restock(), 0);
    }
  }

  private Order refundRest(Order line, boolean restock) {
    List<Refund> open =
        line.notes().refunds().values().stream()
            .filter(refund -> refund.state() == Refund.State.REQUESTED)
            .sorted((a, b) -> a.id().compareTo(b.id()))
            .toList();
    Order now = line;
    for (Refund refund : open) {
      now = drop(now, refund);
    }
    return giveBack(now, now.notes(), now.unitsLeft(), null, restock);
  }

  void refund(Command.RefundPart part) {
    List<Order> lines = unarchived(part.token());
    Order knowing =
        lines.stream()
            .filter(line -> line.notes().refunds().containsKey(part.refundId()))
            .findFirst()
            .orElse(null);
    if (part.step() == Command.RefundPart.Step.REQUEST) {
      if (knowing == null) {
        request(lines, part);
      }
      return;
    }
    Refund known = knowing == null ? null : knowing.notes().refunds().get(part.refundId());
    if (knowing != null
        && known != null
        && known.state() == Refund.State.REQUESTED
        && knowing.status() == CONFIRMED) {
      if (part.step() == Command.RefundPart.Step.REJECT) {
        Order ignored = drop(knowing, known);
      } else {
        complete(lines, knowing, known, part.restock());
      }
    }
  }

  /** No unit of an archived order moves any more. */
  private List<Order> unarchived(OrderToken token) {
    List<Order> lines = work.linesOf(token);
    return lines.stream().anyMatch(Order::archived) ? List.of() : lines;
  }

  private void request(List<Order> lines, Command.RefundPart part) {
    for (Order line : lines) {
      boolean isMeant =
          part.skuId() == 0 ? !line.isFollower() : line.token().skuId() == part.skuId();
      if (isMeant
          && line.status() == CONFIRMED
          && Order.whole(lines).hasRoomToRefund(part.qty(), line.token().skuId())) {
        Refund refund = new Refund(part.refundId(), part.qty(), Refund.State.REQUESTED);
        work.note(
            line.noted(line.notes().with(refund), work.nowMs()),
            OrderNote.Kind.ASKED,
            refund.id(),
            refund.qty());
        work.tellOfLine(EventType.REFUND_REQUESTED, line.token(), refund.id());
      }
    }
  }

  private Order drop(Order line, Refund refund) {
    Order after = line.noted(line.notes().with(refund.in(Refund.State.REJECTED)), work.nowMs());
    work.note(after, OrderNote.Kind.DROPPED, refund.id(), refund.qty());
    work.tellOfLine(EventType.REFUND_REJECTED, line.token(), refund.id());
    return after;
  }

  private void complete(List<Order> lines, Order line, Refund refund, boolean restock) {
    OrderNotes noted = line.notes().with(refund.in(Refund.State.COMPLETED));
    Order after = giveBack(line, noted, refund.qty(), refund.id(), restock);
    OrderToken lead = lines.get(0).token();
    boolean isAll = work.linesOf(lead).stream().allMatch(each -> each.status() == REFUNDED);
    work.tellOfLine(
        isAll ? EventType.ORDER_REFUNDED : EventType.REFUND_COMPLETED, line.token(), refund.id());
    work.free(after, refund.qty(), restock, 0);
  }

  private Order giveBack(
      Order line, OrderNotes noted, int units, @Nullable String refundId, boolean restock) {
    work.count(line, 0, -units);
    // Units of an earlier sale leave the stock in any case.
    boolean withdrawn = !restock && work.isCurrent(line);
    OrderNotes notes = withdrawn ? noted.withWithdrawn(units) : noted;
    Order after = line.refunded(units, notes, work.nowMs());
    work.move(new OrderMove(after, Kind.REFUND, units, refundId, withdrawn));
    return after;
  }
}
