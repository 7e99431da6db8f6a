package io.sluice.reservation.grant;

import io.sluice.model.Order;
import io.sluice.model.Refusal;

/** The answer to a request for an order. */
public sealed interface PlacedOrder {

  /** Yes, durably. {@code fresh}: granted by this very request (201), else it was before (200). */
  record Accepted(Order order, boolean fresh) implements PlacedOrder {}

  /**
   * No.
   *
   * @param detail one sentence for the caller, "Expected ..., but ..."
   * @param retryAfterS seconds after which asking again makes sense; 0 where it is not a matter of
   *     time
   */
  record Refused(Refusal refusal, String detail, int retryAfterS) implements PlacedOrder {}
}
