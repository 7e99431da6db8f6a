package io.sluice.reservation.order;

import io.sluice.model.Cart;
import io.sluice.model.Command.RefundPart;
import io.sluice.model.Order;
import io.sluice.model.OrderNotes.Refund;
import io.sluice.model.OrderStatus;
import io.sluice.reservation.order.CommandAnswer.Conflict;
import io.sluice.reservation.order.CommandAnswer.ConflictType;
import io.sluice.reservation.order.CommandAnswer.Done;
import java.util.Optional;

/** A step of a refund. An order that was received as an event does not know its refunds. */
record RefundGoal(RefundPart part) implements CommandGoal {

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
              : fits(order) ? Optional.empty() : Optional.of(new Conflict(ofUnknown(order), order));
    };
  }

  @Override
  public boolean isHeard() {
    return false;
  }

  /**
   * A request that would have its place now was applied before the order was paid, or before others
   * were rejected.
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
              refund.qty() == part.qty() && (order.cart() == null || refund.skuId() == part.skuId())
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
