package io.sluice.order;

import io.sluice.model.Cart;
import io.sluice.model.Command;
import io.sluice.model.Command.RefundPart;
import io.sluice.model.Order;
import io.sluice.model.OrderNotes;
import io.sluice.model.OrderNotes.Refund;
import io.sluice.model.OrderStatus;
import io.sluice.order.CommandAnswer.Conflict;
import io.sluice.order.CommandAnswer.ConflictType;
import io.sluice.order.CommandAnswer.Done;
import java.util.Optional;

/** The goal of a command, and how it is answered for each status of an order. */
interface CommandGoal {

  /** The goal of a command of a caller. */
  static CommandGoal of(Command command) {
    if (command instanceof Command.Confirm confirm) {
      String paymentRef = confirm.paymentRef();
      return paymentRef == null ? Plain.CONFIRM : new Payment(paymentRef);
    }
    if (command instanceof Command.Extend extend) {
      return new Extension(extend.seconds());
    }
    if (command instanceof RefundPart part) {
      return new RefundStep(part);
    }
    if (command instanceof Command.Cancel) {
      return Plain.CANCEL;
    }
    if (command instanceof Command.Refund) {
      return Plain.REFUND;
    }
    throw new IllegalArgumentException("Expected a command of a caller, but got " + command);
  }

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

  /** The goals of commands that say no more than this. */
  enum Plain implements CommandGoal {
    CONFIRM,
    CANCEL,
    REFUND;

    /**
     * A payment for an ended order is not answered before {@code late_paid_at} is recorded: the
     * money must be paid back.
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
     * A refund that was passed and left the order CONFIRMED came before the confirmation, or was
     * sent on. Then it takes effect on the partition that the bucket is in now.
     */
    @Override
    public Optional<CommandAnswer> outcomeOf(Order order) {
      return switch (order.status()) {
        case PENDING ->
            this == REFUND
                ? Optional.of(new Conflict(ConflictType.NOT_CONFIRMED, order))
                : Optional.empty();
        case CANCELED, REJECTED -> Optional.of(ofEnded(order));
        case RESERVED, CONFIRMED, REFUNDED -> decidedBy(order);
      };
    }

    @Override
    public boolean isPayment() {
      return this == CONFIRM;
    }

    private CommandAnswer ofConfirmed(Order order) {
      return this == CONFIRM
          ? new Done(order)
          : new Conflict(ConflictType.ALREADY_CONFIRMED, order);
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

  /**
   * To confirm an order with a payment that has a name. A payment that the order does not know is
   * recorded whatever the status: its money may have to be paid back.
   */
  record Payment(String paymentRef) implements CommandGoal {

    @Override
    public Optional<CommandAnswer> decidedBy(Order order) {
      boolean isBooked = order.status() != OrderStatus.RESERVED;
      return isBooked && order.notes().knowsPayment(paymentRef)
          ? ofRecorded(order)
          : Optional.empty();
    }

    /**
     * A payment that was applied is known; an order that was booked after that must get it again.
     */
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

  /** To give a buyer so many seconds more to pay, counted from the booking of the command. */
  record Extension(int seconds) implements CommandGoal {

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

  /** A step of a refund. An order that was received as an event does not know its refunds. */
  record RefundStep(RefundPart part) implements CommandGoal {

    @Override
    public Optional<CommandAnswer> decidedBy(Order order) {
      if (part.step() == RefundPart.Step.REQUEST && !hasLine(order)) {
        return Optional.of(new Conflict(ConflictType.NO_SUCH_LINE, order));
      }
      return switch (order.status()) {
        case RESERVED, PENDING -> Optional.empty();
        case CANCELED, REJECTED -> Optional.of(new Conflict(ConflictType.NOT_CONFIRMED, order));
        case CONFIRMED, REFUNDED -> ofKnown(order);
      };
    }

    /** Which line of several is meant must be said; of an order of one SKU, it may be. */
    private boolean hasLine(Order order) {
      Cart cart = order.cart();
      return cart == null
          ? part.skuId() == 0 || part.skuId() == order.token().skuId()
          : cart.lineOf(part.skuId()) != null;
    }

    @Override
    public Optional<CommandAnswer> outcomeOf(Order order) {
      return switch (order.status()) {
        case RESERVED -> Optional.empty();
        case PENDING, CANCELED, REJECTED ->
            Optional.of(new Conflict(ConflictType.NOT_CONFIRMED, order));
        case CONFIRMED, REFUNDED ->
            order.notes().refunds().containsKey(part.refundId())
                ? ofKnown(order)
                : fits(order)
                    ? Optional.empty()
                    : Optional.of(new Conflict(ofUnknown(order), order));
      };
    }

    @Override
    public boolean isHeard() {
      return false;
    }

    /**
     * A request that would have its place now was applied before the order was paid, or before
     * others were rejected.
     */
    private boolean fits(Order order) {
      return part.step() == RefundPart.Step.REQUEST
          && order.hasRoomToRefund(part.qty(), part.skuId());
    }

    /** A request that was applied and left no trace did not fit. */
    private ConflictType ofUnknown(Order order) {
      if (part.step() != RefundPart.Step.REQUEST) {
        return ConflictType.UNKNOWN_REFUND;
      }
      return order.status() == OrderStatus.REFUNDED
          ? ConflictType.ALREADY_REFUNDED
          : ConflictType.REFUND_EXCEEDS;
    }

    private Optional<CommandAnswer> ofKnown(Order order) {
      Refund refund = order.notes().refunds().get(part.refundId());
      if (refund == null) {
        return Optional.empty();
      }
      return switch (part.step()) {
        case REQUEST ->
            Optional.of(
                refund.qty() == part.qty()
                        && (order.cart() == null || refund.skuId() == part.skuId())
                    ? new Done(order)
                    : new Conflict(ConflictType.KEY_MISMATCH, order));
        case COMPLETE -> ended(order, refund, Refund.State.COMPLETED);
        case REJECT -> ended(order, refund, Refund.State.REJECTED);
      };
    }

    private static Optional<CommandAnswer> ended(Order order, Refund refund, Refund.State wanted) {
      if (refund.state() == Refund.State.REQUESTED) {
        return Optional.empty();
      }
      return Optional.of(
          refund.state() == wanted
              ? new Done(order)
              : new Conflict(ConflictType.REFUND_ENDED, order));
    }
  }

  /**
   * A goal that is out of reach once the order is in the archive. A payment that comes for such an
   * order is recorded first, because its money may have to be paid back.
   */
  record UnlessArchived(CommandGoal goal) implements CommandGoal {

    @Override
    public Optional<CommandAnswer> decidedBy(Order order) {
      return unlessArchived(order, goal.decidedBy(order));
    }

    @Override
    public Optional<CommandAnswer> outcomeOf(Order order) {
      return unlessArchived(order, goal.outcomeOf(order));
    }

    private Optional<CommandAnswer> unlessArchived(Order order, Optional<CommandAnswer> answer) {
      return !order.archived() || (goal.isPayment() && answer.isEmpty())
          ? answer
          : Optional.of(new Conflict(ConflictType.ARCHIVED, order));
    }

    @Override
    public boolean isHeard() {
      return goal.isHeard();
    }
  }
}
