package io.sluice.web;

import io.sluice.model.Cart;
import io.sluice.model.Order;
import io.sluice.model.OrderNotes.Refund;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of an order in the API, written directly: none of its values needs escaping, except the
 * texts of callers. Fields that an order need not have are left out if it has none. An order of
 * several SKUs has lines in place of sku_id, qty and seq.
 */
public final class OrderJson {
  private static final int LENGTH = 320;

  private OrderJson() {}

  public static Buffer of(Order order) {
    return Buffer.buffer(open(order).append('}').toString());
  }

  /** The order, and one of its refunds. */
  public static Buffer of(Order order, Refund refund) {
    StringBuilder json = open(order).append(",\"refund\":{\"refund_id\":\"").append(refund.id());
    json.append("\",\"qty\":").append(refund.qty());
    if (refund.skuId() != 0) {
      json.append(",\"sku_id\":").append(refund.skuId());
    }
    json.append(",\"state\":\"").append(refund.state().name());
    return Buffer.buffer(json.append("\"}}").toString());
  }

  private static StringBuilder open(Order order) {
    StringBuilder json = new StringBuilder(LENGTH);
    json.append("{\"order_token\":\"").append(order.token().value());
    Cart cart = order.cart();
    if (cart == null) {
      json.append("\",\"sku_id\":").append(order.token().skuId());
      json.append(",\"qty\":").append(order.qty());
      json.append(",\"seq\":").append(order.seq());
    } else {
      json.append("\",\"lines\":[");
      appendLines(json, cart);
    }
    json.append(",\"status\":\"").append(order.status().name());
    json.append("\",\"reason\":");
    if (order.reason() == null) {
      json.append("null");
    } else {
      json.append('"').append(order.reason().name()).append('"');
    }
    time(json, ",\"pay_before\":\"", order.payBeforeMs());
    time(json, ",\"created_at\":\"", order.createdAtMs());
    time(json, ",\"updated_at\":\"", order.updatedAtMs());
    textIfThere(json, ",\"reference\":", order.reference());
    textIfThere(json, ",\"payment_ref\":", order.notes().paymentRef());
    if (order.notes().refundedQty() > 0) {
      json.append(",\"refunded_qty\":").append(order.notes().refundedQty());
    }
    return json;
  }

  private static void appendLines(StringBuilder json, Cart cart) {
    String between = "";
    for (Cart.Line line : cart.lines()) {
      json.append(between).append("{\"sku_id\":").append(line.bucket().skuId());
      json.append(",\"qty\":").append(line.qty()).append(",\"seq\":").append(line.seq());
      if (line.refundedQty() > 0) {
        json.append(",\"refunded_qty\":").append(line.refundedQty());
      }
      json.append('}');
      between = ",";
    }
    json.append(']');
  }

  private static void textIfThere(StringBuilder json, String name, @Nullable String text) {
    if (text != null) {
      json.append(name).append(Json.encode(text));
    }
  }

  private static void time(StringBuilder json, String name, long epochMs) {
    Rfc3339.append(json.append(name), epochMs).append('"');
  }
}
