package io.sluice.reservation.grant;

import io.sluice.model.OrderToken;
import io.sluice.model.Refusal;
import io.sluice.tracing.TraceContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.jspecify.annotations.Nullable;

/**
 * A request for an order in progress, of one SKU or of several. It is answered once; if more
 * becomes known later, the next request with its key gets it.
 */
abstract class OpenRequest {
  private final GrantRoute route;
  private final @Nullable TraceContext trace;
  private final Promise<PlacedOrder> answer = Promise.promise();
  private PlacedOrder atDeadline = Refusals.unavailable();

  /**
   * @param trace the first span of the order's trace; null if it is not traced
   */
  OpenRequest(GrantRoute route, @Nullable TraceContext trace) {
    this.route = route;
    this.trace = trace;
  }

  /** Of its order, if there is to be one. */
  abstract OrderToken token();

  /** How its grant is made durable. */
  GrantRoute route() {
    return route;
  }

  /** The first span of the order's trace; null if it is not traced. */
  @Nullable TraceContext trace() {
    return trace;
  }

  Future<PlacedOrder> answer() {
    return answer.future();
  }

  void answer(PlacedOrder order) {
    boolean isUnknown =
        order instanceof PlacedOrder.Refused refused && refused.refusal() == Refusal.UNAVAILABLE;
    answer.tryComplete(isUnknown ? Refusals.unavailable(token()) : order);
  }

  /** Sets the answer for the case that nothing better is known at the deadline. */
  void otherwise(PlacedOrder order) {
    atDeadline = order;
  }

  /** The deadline has passed. */
  void giveUp() {
    answer(atDeadline);
  }
}
