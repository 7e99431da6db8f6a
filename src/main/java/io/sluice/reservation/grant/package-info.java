/**
 * A request becomes a grant: one call of Redis for a batch, records of the order log, then the
 * answers. {@link io.sluice.reservation.grant.Reservations} is the way in.
 *
 * <pre>
 * Reservations -- GrantRouter -- GrantBatcher -- reserve.lua -- GrantRecorder -- log: ack -- yes
 *                 (Backlog, DirectBudget)                     -- DirectBooking -- ledger -- yes
 * </pre>
 *
 * <p>Runs on the event loop of one HTTP verticle; nothing is shared between loops but what says so.
 * Invariant: a yes is said only after the log's ack or the commit that booked it, within the grant
 * deadline; a failed Future of a store leaves the outcome open and is answered with 503.
 */
@NullMarked
package io.sluice.reservation.grant;

import org.jspecify.annotations.NullMarked;
