package io.sluice.reservation.grant;

/**
 * What a request must pass before Redis is asked.
 *
 * @param underWayMax requests that may be under way at once on one event loop; over it: BUSY
 * @param routes of the instance, shared by its event loops
 */
public record Admission(int underWayMax, GrantRouter routes) {}
