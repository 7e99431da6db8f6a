package io.sluice.ledger.rules;

import io.sluice.model.Grant;
import io.sluice.model.Limits;
import io.sluice.model.Order;
import io.sluice.model.OrderNotes;
import io.sluice.model.OrderStatus;
import io.sluice.model.Reason;
import org.jspecify.annotations.Nullable;

/** An order when it enters the ledger. */
final class NewOrder {
  private static final long FIRST_VERSION = 1;

  private NewOrder() {}

  /**
   * The values of a rejected grant may be invalid; they are stored as far as the columns allow. It
   * has no reference in the ledger.
   */
  static Order of(Grant grant, OrderStatus status, @Nullable Reason reason, long nowMs) {
    String userId = grant.userId();
    return new Order(
        grant.token(),
        userId.substring(0, Math.min(userId.length(), Limits.USER_ID_MAX)),
        grant.qty(),
        grant.seq(),
        grant.epoch(),
        status,
        reason,
        FIRST_VERSION,
        PaymentTime.payBeforeMs(grant, nowMs),
        0,
        grant.grantedAtMs(),
        nowMs,
        grant.saleNo(),
        status == OrderStatus.REJECTED ? null : grant.reference(),
        OrderNotes.NONE,
        false,
        grant.cart());
  }
}
