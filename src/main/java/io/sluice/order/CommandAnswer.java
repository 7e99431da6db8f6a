package io.sluice.order;

import io.sluice.model.Order;
import io.sluice.model.ProblemType;

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

  /** Instances may run that would not understand the command; nothing was changed: 503. */
  record NotYet() implements CommandAnswer {}

  /** Why a command changed nothing: the problem, and its text. */
  enum ConflictType {
    ALREADY_CONFIRMED(
        ProblemType.ALREADY_CONFIRMED,
        "Expected an order that is not paid, but it is confirmed; only a refund can end it"),
    ALREADY_REFUNDED(
        ProblemType.ALREADY_REFUNDED, "Expected an order that is not refunded, but it is"),
    PAYMENT_LATE(
        ProblemType.PAYMENT_LATE,
        "Expected the payment while the order was held, but it had ended; the money must be paid"
            + " back"),
    NOT_CONFIRMED(ProblemType.NOT_CONFIRMED, "Expected a confirmed order, but it is not confirmed"),
    ORDER_ENDED(ProblemType.ORDER_ENDED, "Expected an order that is held, but it has ended"),
    /** The id of a refund was used before for another quantity. */
    KEY_MISMATCH(
        ProblemType.KEY_MISMATCH,
        "Expected the quantity of the refund with this id, but got another; ids are used once"),
    /** More units than are left, open requests included. */
    REFUND_EXCEEDS(
        ProblemType.REFUND_EXCEEDS,
        "Expected at most what is left of the order beside open requests, but got more"),
    /** The refund was completed, and must be rejected, or the other way round. */
    REFUND_ENDED(
        ProblemType.REFUND_ENDED,
        "Expected a refund that is requested, but it has ended otherwise"),
    UNKNOWN_REFUND(
        ProblemType.UNKNOWN_REFUND,
        "Expected the id of a refund of this order, but there is none like this"),
    /**
     * The order has several SKUs, and the refund names none of them; or it has one, and another.
     */
    NO_SUCH_LINE(
        ProblemType.BAD_REQUEST,
        "Expected the sku_id of one of the order's lines if it has several, but got another"),
    /** The order is in the archive, whatever its status. */
    ARCHIVED(
        ProblemType.ARCHIVED,
        "Expected an order of a sale that is not archived, but it is; it can only be looked at");

    private final ProblemType type;
    private final String detail;

    ConflictType(ProblemType type, String detail) {
      this.type = type;
      this.detail = detail;
    }

    public ProblemType type() {
      return type;
    }

    /** One sentence for the caller. */
    public String detail() {
      return detail;
    }
  }
}
