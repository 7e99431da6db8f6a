package io.sluice.reservation.grant;

/**
 * The limits that a request must pass before Redis is asked.
 *
 * @param underWayMax the maximum number of requests in flight on one event loop; over it: BUSY
 * @param lastFactor the maximum number of requests on their way to Redis per unit left, from LAST
 *     on, per event loop and bucket; over it: BUSY
 * @param routes of the instance, shared by its event loops
 */
public record Admission(int underWayMax, int lastFactor, GrantRouter routes) {}
