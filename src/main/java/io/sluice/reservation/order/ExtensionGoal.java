package io.sluice.reservation.order;

import io.sluice.model.Order;
import io.sluice.reservation.order.CommandAnswer.Conflict;
import io.sluice.reservation.order.CommandAnswer.ConflictType;
import io.sluice.reservation.order.CommandAnswer.Done;
import java.util.Optional;

/** To give a buyer so many seconds more to pay, counted from the booking of the command. */
record ExtensionGoal(int seconds) implements CommandGoal {

  @Override
  public Optional<CommandAnswer> decidedBy(Order order) {
    return switch (order.status()) {
      case RESERVED, PENDING -> Optional.empty();
      case CONFIRMED -> conflict(ConflictType.ALREADY_CONFIRMED, order);
      case CANCELED, REJECTED -> conflict(ConflictType.ORDER_ENDED, order);
      case REFUNDED -> conflict(ConflictType.ALREADY_REFUNDED, order);
    };
  }

  @Override
  public Optional<CommandAnswer> outcomeOf(Order order) {
    return switch (order.status()) {
      case RESERVED -> Optional.empty();
      case PENDING -> hasTheTime(order) ? Optional.of(new Done(order)) : Optional.empty();
      default -> decidedBy(order);
    };
  }

  /** An event has the new deadline, but not whose extension it is. */
  @Override
  public boolean isHeard() {
    return false;
  }

  /**
   * An order that was never extended, and has less time than this from its booking on, was booked
   * after the command was applied: by the sweep, or directly. One that was extended so often that
   * it takes no further extension has only the time of its last one.
   */
  private boolean hasTheTime(Order pending) {
    return (pending.notes().extended() && !pending.notes().takesNoExtension())
        || pending.payBeforeMs() - pending.updatedAtMs() >= seconds * 1_000L;
  }

  private static Optional<CommandAnswer> conflict(ConflictType type, Order order) {
    return Optional.of(new Conflict(type, order));
  }
}
