/**
 * Turns requests into grants: one call to Redis for a batch, records of the order log, then the
 * answers. The entry point is {@link io.sluice.grant.Reservations}. The events of each sale are
 * counted here, too, and written to the ledger.
 *
 * <pre>
 * Reservations -- GrantBatcher -- reserve.lua -- GrantRecorder -- log: ack -- 201
 *                                                              -- PastLogBooking -- ledger -- 201
 *              -- DirectPlacing (SKUs without Redis) -- ledger -- 201
 * GrantRouter (Backlog, a RateLimit): by the log, past it, or not at all
 * </pre>
 *
 * <p>Runs on the event loop of one HTTP verticle; nothing is shared between loops unless its class
 * says so. Invariant: a grant is acknowledged only after the log's ack or the commit that booked
 * it, within the grant deadline. A failed Future of a store leaves the outcome unknown: it is
 * answered with 503, or the grant is booked past the log, which does no harm if both happen.
 */
@NullMarked
package io.sluice.grant;

import org.jspecify.annotations.NullMarked;
