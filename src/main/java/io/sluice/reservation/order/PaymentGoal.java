package io.sluice.reservation.order;

import io.sluice.model.Order;
import io.sluice.model.OrderNotes;
import io.sluice.model.OrderStatus;
import io.sluice.reservation.order.CommandAnswer.Conflict;
import io.sluice.reservation.order.CommandAnswer.ConflictType;
import io.sluice.reservation.order.CommandAnswer.Done;
import java.util.Optional;

/**
 * To confirm an order with a payment that has a name. A payment that the order does not know is
 * recorded whatever the status: its money may have to be paid back.
 */
record PaymentGoal(String paymentRef) implements CommandGoal {

  @Override
  public Optional<CommandAnswer> decidedBy(Order order) {
    boolean isBooked = order.status() != OrderStatus.RESERVED;
    return isBooked && order.notes().knowsPayment(paymentRef)
        ? ofRecorded(order)
        : Optional.empty();
  }

  /** A payment that was applied is known; an order that was booked after that must get it again. */
  @Override
  public Optional<CommandAnswer> outcomeOf(Order order) {
    return isRecorded(order.notes()) ? ofRecorded(order) : Optional.empty();
  }

  @Override
  public boolean isPayment() {
    return true;
  }

  private boolean isRecorded(OrderNotes notes) {
    return notes.knowsPayment(paymentRef) || notes.takesNoPayment();
  }

  private Optional<CommandAnswer> ofRecorded(Order order) {
    return switch (order.status()) {
      case RESERVED, PENDING -> Optional.empty();
      case CONFIRMED -> ofConfirmed(order);
      case CANCELED, REJECTED -> Optional.of(new Conflict(ConflictType.PAYMENT_LATE, order));
      case REFUNDED -> Optional.of(new Conflict(ConflictType.ALREADY_REFUNDED, order));
    };
  }

  private Optional<CommandAnswer> ofConfirmed(Order order) {
    String paid = order.notes().paymentRef();
    if (paid == null) {
      return Optional.empty();
    }
    return Optional.of(
        paid.equals(paymentRef)
            ? new Done(order)
            : new Conflict(ConflictType.ALREADY_CONFIRMED, order));
  }
}
