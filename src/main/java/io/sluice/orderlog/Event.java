package io.sluice.orderlog;

import org.jspecify.annotations.Nullable;

/**
 * An event on {@code stock-events}.
 *
 * @param type e.g. ORDER_CONFIRMED or HEARTBEAT
 * @param key the record's key: the order token, or the SKU where the event concerns a whole SKU
 * @param payload JSON
 * @param traceparent the span that publishes it, of the trace of its order; null where that is not
 *     traced, and in what a listener hears
 */
public record Event(String type, String key, String payload, @Nullable String traceparent) {

  /** An event whose order is not traced. */
  public Event(String type, String key, String payload) {
    this(type, key, payload, null);
  }

  /** The same event, published by this span. */
  public Event tracedAs(String traceparentOfSpan) {
    return new Event(type, key, payload, traceparentOfSpan);
  }
}
