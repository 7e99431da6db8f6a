package io.sluice.reservation.order;

import io.sluice.model.Order;
import io.sluice.reservation.order.CommandAnswer.Conflict;
import io.sluice.reservation.order.CommandAnswer.ConflictType;
import java.util.Optional;

/**
 * A goal that is out of reach once the order is in the archive. A payment that comes for such an
 * order is recorded first, because its money may have to be paid back.
 */
record ArchiveGoal(CommandGoal goal) implements CommandGoal {

  @Override
  public Optional<CommandAnswer> decidedBy(Order order) {
    Optional<CommandAnswer> decided = goal.decidedBy(order);
    if (!order.archived()) {
      return decided;
    }
    return goal.isPayment() && decided.isEmpty() ? decided : Optional.of(archived(order));
  }

  @Override
  public Optional<CommandAnswer> outcomeOf(Order order) {
    Optional<CommandAnswer> outcome = goal.outcomeOf(order);
    if (!order.archived()) {
      return outcome;
    }
    return goal.isPayment() && outcome.isEmpty() ? outcome : Optional.of(archived(order));
  }

  @Override
  public boolean isHeard() {
    return goal.isHeard();
  }

  private static CommandAnswer archived(Order order) {
    return new Conflict(ConflictType.ARCHIVED, order);
  }
}
