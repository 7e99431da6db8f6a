package io.sluice.crash;

import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A command of the shop or the buyer about an order. Repeated, it has no further effect.
 *
 * @param path behind the order's
 * @param body or null
 */
record OrderEnd(String token, String path, @Nullable JsonObject body) {
  /** How many commands there are about each order, one after the other. */
  static final int STEPS = 3;

  private static final OrderEnd CONFIRM =
      new OrderEnd("", "/confirm", new JsonObject().put("payment_ref", "p"));
  private static final OrderEnd CANCEL = new OrderEnd("", "/cancel", null);
  private static final OrderEnd EXTEND =
      new OrderEnd("", "/extend", new JsonObject().put("seconds", 7_200));
  private static final OrderEnd REQUEST =
      new OrderEnd("", "/refunds", new JsonObject().put("refund_id", "r").put("qty", 1));
  private static final OrderEnd COMPLETE = new OrderEnd("", "/refunds/r/complete", null);
  private static final OrderEnd REFUND = new OrderEnd("", "/refund", null);

  private static final List<List<OrderEnd>> WAYS =
      List.of(
          List.of(CANCEL, CANCEL, CANCEL),
          List.of(CONFIRM, CONFIRM, REFUND),
          List.of(EXTEND, CONFIRM, REQUEST),
          List.of(CONFIRM, REQUEST, COMPLETE));

  /** The command about the order of this number. */
  static OrderEnd of(String token, int number, int step) {
    OrderEnd end = WAYS.get(number % WAYS.size()).get(step);
    return new OrderEnd(token, end.path, end.body);
  }

  /**
   * The commands about an order of several SKUs, one after the other.
   *
   * @param skuId of a line
   */
  static List<OrderEnd> ofCart(String token, int number, long skuId) {
    JsonObject part = new JsonObject().put("refund_id", "r").put("qty", 1).put("sku_id", skuId);
    OrderEnd request = new OrderEnd("", REQUEST.path, part);
    List<List<OrderEnd>> ways =
        List.of(
            List.of(CANCEL, CANCEL),
            List.of(CONFIRM, REFUND),
            List.of(),
            List.of(EXTEND, CONFIRM),
            List.of(CONFIRM, request, COMPLETE));
    return ways.get(number % ways.size()).stream()
        .map(end -> new OrderEnd(token, end.path, end.body))
        .toList();
  }

  Call callOf(SluiceProcess at) {
    Call call = Call.post(at.url() + "/v1/orders/" + token + path);
    return body == null ? call : call.json(body);
  }
}
