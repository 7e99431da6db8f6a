package io.sluice.orderlog;

/**
 * An event on {@code stock-events}.
 *
 * @param type e.g. ORDER_CONFIRMED or HEARTBEAT
 * @param key the record's key: the order token, or the SKU where the event concerns a whole SKU
 * @param payload JSON
 */
public record Event(String type, String key, String payload) {}
