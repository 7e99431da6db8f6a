package io.sluice.web.format;

import io.sluice.model.Order;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.Json;

/**
 * The JSON of an order in the API, written directly: none of its values needs escaping, except the
 * texts of callers. What an order need not have is left out where it has none.
 */
public final class OrderJson {
  private static final int LENGTH = 320;

  private OrderJson() {}

  public static Buffer of(Order order) {
    StringBuilder json = new StringBuilder(LENGTH);
    json.append("{\"order_token\":\"").append(order.token().value());
    json.append("\",\"sku_id\":").append(order.token().skuId());
    json.append(",\"qty\":").append(order.qty());
    json.append(",\"seq\":").append(order.seq());
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
    if (order.reference() != null) {
      json.append(",\"reference\":").append(Json.encode(order.reference()));
    }
    return Buffer.buffer(json.append('}').toString());
  }

  private static void time(StringBuilder json, String name, long epochMs) {
    Rfc3339.append(json.append(name), epochMs).append('"');
  }
}
