package io.sluice.orderlog;

/**
 * What listeners hear on {@code stock-events}.
 *
 * @param type e.g. ORDER_CONFIRMED or HEARTBEAT
 * @param key the order token, or the SKU where it is about the whole SKU; the record's key
 * @param payload JSON
 */
public record Event(String type, String key, String payload) {}
