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
   * @param opensAtMs when the SKU is to open, if it is SCHEDULED; epoch milliseconds, 0 for no time
   */
  record Refused(
      Refusal refusal,
      String detail,
      int retryAfterS,
      @Nullable OrderToken token,
      long skuId,
      long opensAtMs)
      implements PlacedOrder {

    /** A refusal that is certain. */
    public Refused(Refusal refusal, String detail, int retryAfterS) {
      this(refusal, detail, retryAfterS, null, 0, 0);
    }

    /** The same for one of several lines. */
    public Refused ofLine(long line) {
      return new Refused(refusal, detail, retryAfterS, token, line, opensAtMs);
    }

    /** The same for an order that there may be. */
    public Refused of(@Nullable OrderToken order) {
      return new Refused(refusal, detail, retryAfterS, order, skuId, opensAtMs);
    }

    /** The same of a SKU that is to open then. */
    public Refused opening(long atMs) {
      return new Refused(refusal, detail, retryAfterS, token, skuId, atMs);
    }

    /** Whether the caller gets the same answer. */
    public boolean isWordedLike(Refused other) {
      return refusal == other.refusal
          && detail.equals(other.detail)
          && retryAfterS == other.retryAfterS
          && skuId == other.skuId
          && opensAtMs == other.opensAtMs;
    }
  }
}
