package io.sluice.orderlog;

import org.jspecify.annotations.Nullable;

/**
 * An event on {@code stock-events}.
 *
 * @param type e.g. ORDER_CONFIRMED or HEARTBEAT
 * @param key the record's key: the order token, or the SKU where the event concerns a whole SKU
 * @param payload JSON
 * @param instance that published it: of a heartbeat, as a listener hears it; else null
 */
public record Event(String type, String key, String payload, @Nullable String instance) {
  /** The type of what an owner publishes while it has nothing else to say. */
  public static final String HEARTBEAT = "HEARTBEAT";

  /** An event to publish. */
  public Event(String type, String key, String payload) {
    this(type, key, payload, null);
  }
}
