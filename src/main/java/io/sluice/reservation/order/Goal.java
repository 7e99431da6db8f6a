package io.sluice.reservation.order;

import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.reservation.order.CommandAnswer.Conflict;
import io.sluice.reservation.order.CommandAnswer.ConflictType;
import io.sluice.reservation.order.CommandAnswer.Done;
import java.util.Optional;

/** The goals of commands that say no more than this. */
enum Goal implements CommandGoal {
  CONFIRM,
  CANCEL,
  REFUND;

  /**
   * A payment for an ended order is not answered before {@code late_paid_at} is recorded: the money
   * must be paid back.
   */
  @Override
  public Optional<CommandAnswer> decidedBy(Order order) {
    return switch (order.status()) {
      case RESERVED, PENDING -> Optional.empty();
      case CONFIRMED -> this == REFUND ? Optional.empty() : Optional.of(ofConfirmed(order));
      case CANCELED, REJECTED ->
          this == CONFIRM && order.latePaidAtMs() == 0
              ? Optional.empty()
              : Optional.of(ofEnded(order));
      case REFUNDED -> Optional.of(ofRefunded(order));
    };
  }

  /**
   * A refund that was passed and left the order CONFIRMED came before the confirmation, or was sent
   * on. Then it takes effect on the partition that the bucket is in now.
   */
  @Override
  public Optional<CommandAnswer> outcomeOf(Order order) {
    return switch (order.status()) {
      case RESERVED -> Optional.empty();
      case PENDING ->
          this == REFUND
              ? Optional.of(new Conflict(ConflictType.NOT_CONFIRMED, order))
              : Optional.empty();
      case CONFIRMED -> this == REFUND ? Optional.empty() : Optional.of(ofConfirmed(order));
      case CANCELED, REJECTED -> Optional.of(ofEnded(order));
      case REFUNDED -> Optional.of(ofRefunded(order));
    };
  }

  @Override
  public boolean isPayment() {
    return this == CONFIRM;
  }

  private CommandAnswer ofConfirmed(Order order) {
    return this == CONFIRM ? new Done(order) : new Conflict(ConflictType.ALREADY_CONFIRMED, order);
  }

  private CommandAnswer ofEnded(Order order) {
    return switch (this) {
      case CONFIRM -> new Conflict(ConflictType.PAYMENT_LATE, order);
      case CANCEL ->
          order.status() == OrderStatus.CANCELED
              ? new Done(order)
              : new Conflict(ConflictType.ORDER_ENDED, order);
      case REFUND -> new Conflict(ConflictType.NOT_CONFIRMED, order);
    };
  }

  private CommandAnswer ofRefunded(Order order) {
    return this == REFUND ? new Done(order) : new Conflict(ConflictType.ALREADY_REFUNDED, order);
  }
}
