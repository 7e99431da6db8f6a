package io.sluice.reservation.order;

import io.sluice.model.Order;
import java.util.Optional;

/** The goal of a command, and how it is answered for each status of an order. */
interface CommandGoal {

  /**
   * The answer if it is certain already, so that the log is not needed; empty if the command may
   * still change the order, or has something to record.
   */
  Optional<CommandAnswer> decidedBy(Order order);

  /**
   * The answer for an order that was read after the command was applied. Empty if the command had
   * no effect on it and must be repeated.
   */
  Optional<CommandAnswer> outcomeOf(Order order);

  /** Whether an event tells that it is reached; else only the row does. */
  default boolean isHeard() {
    return true;
  }

  /** Whether the command tells of money, which is recorded whatever the order's status. */
  default boolean isPayment() {
    return false;
  }
}
