package io.sluice.order;

import io.sluice.model.Order;
import io.sluice.model.Reason;
import io.sluice.orderlog.Event;
import io.vertx.core.json.JsonObject;

/** Events about orders, in the JSON form of the topic. */
public final class EventJson {
  private EventJson() {}

  public static Event event(Order order) {
    Reason reason = order.reason();
    JsonObject json =
        new JsonObject()
            .put("type", "ORDER_" + order.status())
            .put("order_token", order.token().value())
            .put("sku_id", order.token().skuId())
            .put("bucket", order.token().bucket())
            .put("user_id", order.userId())
            .put("qty", order.qty())
            .put("seq", order.seq())
            .put("epoch", order.epoch())
            .put("status", order.status().name())
            .put("reason", reason == null ? null : reason.name())
            .put("version", order.version())
            .put("pay_before", order.payBeforeMs())
            .put("late_paid_at", order.latePaidAtMs())
            .put("created_at", order.createdAtMs())
            .put("updated_at", order.updatedAtMs());
    return new Event(json.getString("type"), order.token().value(), json.encode());
  }
}
