/**
 * Turns requests into grants: one call to Redis for a batch, records of the order log, then the
 * answers. The entry point is {@link io.sluice.grant.Reservations}. The events of each sale are
 * counted here, too, and written to the ledger.
 *
 * <pre>
 * Reservations -- GrantRouter -- GrantBatcher -- reserve.lua -- GrantRecorder -- log: ack -- 201
 *                 (Backlog, a RateLimit)                      -- PastLogBooking -- ledger -- 201
 *              -- DirectPlacing (SKUs without Redis) -- ledger -- 201
 * </pre>
 *
 * <p>Runs on the event loop of one HTTP verticle; nothing is shared between loops unless its class
 * says so. Invariant: a grant is acknowledged only after the log's ack or the commit that booked
 * it, within the grant deadline. A failed Future of a store leaves the outcome unknown and is
 * answered with 503.
 */
@NullMarked
package io.sluice.grant;

import org.jspecify.annotations.NullMarked;
