package io.sluice.reservation;

import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.orderlog.Event;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/** Events about orders as they are on the topic. */
final class EventJson {
  private EventJson() {}

  static Event event(Order order) {
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

  static Optional<Order> order(Event event) {
    JsonObject json = new JsonObject(event.payload());
    String reason = json.getString("reason");
    return OrderToken.parse(json.getString("order_token"))
        .map(
            token ->
                new Order(
                    token,
                    json.getString("user_id"),
                    json.getInteger("qty"),
                    json.getLong("seq"),
                    json.getLong("epoch"),
                    OrderStatus.valueOf(json.getString("status")),
                    reason == null ? null : Reason.valueOf(reason),
                    json.getLong("version"),
                    json.getLong("pay_before"),
                    json.getLong("late_paid_at"),
                    json.getLong("created_at"),
                    json.getLong("updated_at")));
  }
}
