package io.sluice.ledger.rules;

import io.sluice.model.Grant;
import io.sluice.model.Limits;
import io.sluice.model.Order;
import io.sluice.model.Order.Life;
import io.sluice.model.OrderStatus;
import io.sluice.model.Reason;
import org.jspecify.annotations.Nullable;

/** An order when it enters the ledger. */
final class NewOrder {
  private NewOrder() {}

  /**
   * The values of a rejected grant may be invalid; they are stored as far as the columns allow. It
   * has no reference in the ledger.
   */
  static Order of(Grant grant, OrderStatus status, @Nullable Reason reason, long nowMs) {
    Grant kept = grant.payBefore(PaymentTime.payBeforeMs(grant, nowMs));
    return new Order(
        status == OrderStatus.REJECTED ? cut(kept) : kept,
        Life.first(status, reason, nowMs),
        false);
  }

  private static Grant cut(Grant rejected) {
    String userId = rejected.userId();
    return new Grant(
        rejected.token(),
        userId.substring(0, Math.min(userId.length(), Limits.USER_ID_MAX)),
        rejected.units(),
        null,
        rejected.cart());
  }
}
