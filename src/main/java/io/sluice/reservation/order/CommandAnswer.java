package io.sluice.reservation.order;

import io.sluice.model.Order;

/** The outcome of a command on an order. */
public sealed interface CommandAnswer {

  /** The command has taken effect, now or before: 200. */
  record Done(Order order) implements CommandAnswer {}

  /** The order's status does not allow the command: 409. */
  record Conflict(ConflictType type, Order order) implements CommandAnswer {}

  /**
   * The command is in the log, but its outcome was not known in time: 202 with the order as known.
   */
  record Accepted(Order order) implements CommandAnswer {}

  record Unknown() implements CommandAnswer {}

  /** As in {@link OrderAnswer.NotNow}. */
  record NotNow(boolean busy) implements CommandAnswer {}

  /** Why a command changed nothing. */
  enum ConflictType {
    ALREADY_CONFIRMED("already-confirmed"),
    ALREADY_REFUNDED("already-refunded"),
    PAYMENT_LATE("payment-late"),
    NOT_CONFIRMED("not-confirmed"),
    ORDER_ENDED("order-ended"),
    /** The id of a refund was used before for another quantity. */
    KEY_MISMATCH("key-mismatch"),
    /** More units than are left, open requests included. */
    REFUND_EXCEEDS("refund-exceeds"),
    /** The refund was completed, and must be rejected, or the other way round. */
    REFUND_ENDED("refund-ended"),
    UNKNOWN_REFUND("unknown-refund"),
    /**
     * The order has several SKUs, and the refund names none of them; or it has one, and another.
     */
    NO_SUCH_LINE("bad-request"),
    /** The order is in the archive, whatever its status. */
    ARCHIVED("archived");

    private final String problem;

    ConflictType(String problem) {
      this.problem = problem;
    }

    /** The last segment of the problem type. */
    public String problem() {
      return problem;
    }
  }
}
