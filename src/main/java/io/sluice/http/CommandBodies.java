package io.sluice.http;

import io.sluice.model.Command;
import io.sluice.model.Limits;
import io.sluice.model.OrderToken;
import io.sluice.web.format.JsonFields;
import io.sluice.web.problem.BadInputException;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The validated bodies of commands on an order. */
final class CommandBodies {
  static final List<String> PAYMENT = List.of("payment_ref");
  static final List<String> EXTENSION = List.of("seconds");
  static final List<String> REFUND = List.of("refund_id", "qty", "sku_id");

  private CommandBodies() {}

  /** The payment of a confirmation; null if there is no body, or it names none. */
  static @Nullable String paymentRef(Buffer body) {
    if (body.length() == 0) {
      return null;
    }
    String paymentRef = null;
    try (JsonFields fields = JsonFields.of(body, PAYMENT)) {
      for (String name = fields.next(); name != null; name = fields.next()) {
        if (!name.equals("payment_ref")) {
          throw fields.unknown();
        }
        paymentRef = fields.visible(Limits.PAYMENT_REF_MAX);
      }
    }
    return paymentRef;
  }

  /** The seconds of an extension. */
  static int seconds(Buffer body) {
    int seconds = 0;
    try (JsonFields fields = JsonFields.of(body, EXTENSION)) {
      for (String name = fields.next(); name != null; name = fields.next()) {
        if (!name.equals("seconds")) {
          throw fields.unknown();
        }
        seconds = Math.toIntExact(fields.wholeNumber(1, Limits.EXTENSION_S_MAX));
      }
      fields.require("seconds");
    }
    return seconds;
  }

  /**
   * A refund that is requested.
   *
   * @param skuId of the line, if the order has several; else 0
   */
  record RefundBody(String refundId, int qty, long skuId) {
    static RefundBody read(Buffer body) {
      String refundId = "";
      int qty = 0;
      long skuId = 0;
      try (JsonFields fields = JsonFields.of(body, REFUND)) {
        for (String name = fields.next(); name != null; name = fields.next()) {
          switch (name) {
            case "refund_id" -> refundId = refundId(fields.text());
            case "qty" -> qty = Math.toIntExact(fields.wholeNumber(1, Limits.QTY_MAX));
            case "sku_id" -> skuId = fields.wholeNumber(1, Long.MAX_VALUE);
            default -> throw fields.unknown();
          }
        }
        fields.require("refund_id", "qty");
      }
      return new RefundBody(refundId, qty, skuId);
    }

    Command.RefundPart request(OrderToken token) {
      return new Command.RefundPart(token, refundId, qty, Command.RefundPart.Step.REQUEST, skuId);
    }

    private static String refundId(String text) {
      if (!Limits.isRefundId(text) || Limits.isDots(text)) {
        throw new BadInputException(
            "refund_id",
            "Expected 1 to "
                + Limits.REFUND_ID_MAX
                + " characters of A-Z, a-z, 0-9 and _.:-, not . or .., but got another");
      }
      return text;
    }
  }
}
