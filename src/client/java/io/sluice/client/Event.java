package io.sluice.client;

import java.util.Map;
import java.util.Optional;

/**
 * An event. The page {@code docs/events.md} has the types, and the fields of each.
 *
 * @param type such as {@code ORDER_CONFIRMED}; ignore those that you do not know
 * @param orderToken the order that it is about; none of events about a SKU, a buyer or a partition
 * @param version take over the state of an order only if this is higher than the last one of the
 *     same order; 0 if the event has none
 * @param status the order's status after the change; {@code OTHER} if the event is about no order
 * @param fields all of its fields, as {@code String}, {@code Long}, {@code Boolean}, {@code List}
 *     and {@code Map}; fields that are null are left out
 */
public record Event(
    String type,
    Optional<String> orderToken,
    long version,
    Order.Status status,
    Map<String, Object> fields) {

  /** A text of the event, such as {@code double_ref}; none if it is not there, or no text. */
  public Optional<String> text(String field) {
    return Optional.ofNullable(fields.get(field) instanceof String text ? text : null);
  }

  /** A number of the event, such as {@code line_sku_id}; none if it is not there, or no number. */
  public Optional<Long> number(String field) {
    return Optional.ofNullable(fields.get(field) instanceof Long number ? number : null);
  }

  static Event of(JsonObject json) {
    return new Event(
        json.text("type"),
        json.textIfThere("order_token"),
        json.numberIfThere("version").orElse(0L),
        Order.Status.named(json.textIfThere("status").orElse("")),
        json.members());
  }
}
