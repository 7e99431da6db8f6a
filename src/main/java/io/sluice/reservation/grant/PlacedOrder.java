package io.sluice.reservation.grant;

import io.sluice.model.Order;
import io.sluice.model.Refusal;

/** The answer to a request for an order. */
public sealed interface PlacedOrder {

  /**
   * Granted, durably. {@code fresh}: granted by this request (201), else by an earlier one (200).
   */
  record Accepted(Order order, boolean fresh) implements PlacedOrder {}

  /**
   * Refused.
   *
   * @param detail one sentence for the caller, "Expected ..., but ..."
   * @param retryAfterS seconds after which a retry makes sense; 0 where waiting does not help
   */
  record Refused(Refusal refusal, String detail, int retryAfterS) implements PlacedOrder {}
}
