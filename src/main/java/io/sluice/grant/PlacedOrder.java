package io.sluice.grant;

import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Refusal;
import org.jspecify.annotations.Nullable;

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
   * @param retryAfterS seconds after which a retry makes sense; 0 if waiting does not help
   * @param token of the order that there may be, if its outcome is unknown; else null
   * @param skuId of the line that it is refused for, if several SKUs were asked for; else 0
   */
  record Refused(
      Refusal refusal, String detail, int retryAfterS, @Nullable OrderToken token, long skuId)
      implements PlacedOrder {

    /** A refusal that is certain. */
    public Refused(Refusal refusal, String detail, int retryAfterS) {
      this(refusal, detail, retryAfterS, null, 0);
    }

    /** The same for one of several lines. */
    Refused ofLine(long line) {
      return new Refused(refusal, detail, retryAfterS, token, line);
    }

    /** Whether the caller gets the same answer. */
    public boolean isWordedLike(Refused other) {
      return refusal == other.refusal
          && detail.equals(other.detail)
          && retryAfterS == other.retryAfterS
          && skuId == other.skuId;
    }
  }
}
