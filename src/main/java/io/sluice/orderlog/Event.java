package io.sluice.orderlog;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * An event on {@code stock-events}.
 *
 * @param type e.g. ORDER_CONFIRMED or HEARTBEAT
 * @param key the record's key: the order token, or the SKU if the event concerns a whole SKU
 * @param payload JSON
 * @param traceparent the span that publishes it, of the trace of its order; null if that is not
 *     traced, and in what a listener hears
 * @param instance that published it: of a heartbeat, as a listener hears it; else null
 */
public record Event(
    String type,
    String key,
    String payload,
    @Nullable String traceparent,
    @Nullable String instance) {
  /** The type of what an owner publishes while it has nothing else to say. */
  public static final String HEARTBEAT = "HEARTBEAT";

  /** An event to publish, whose order is not traced. */
  public Event(String type, String key, String payload) {
    this(type, key, payload, null, null);
  }

  /** The same event, published by this span. */
  public Event tracedAs(String traceparentOfSpan) {
    return new Event(type, key, payload, traceparentOfSpan, instance);
  }

  /** The same event, as heard from this instance. */
  public Event heardFrom(@Nullable String publisher) {
    return new Event(type, key, payload, traceparent, publisher);
  }

  /** A whole number of the payload; null if it has none of this name, or cannot be read. */
  public @Nullable Long number(String name) {
    try {
      return new JsonObject(payload).getLong(name);
    } catch (DecodeException | ClassCastException notOfOurs) {
      return null;
    }
  }
}
