/**
 * A buyer's side of an order: grant, then log, then answer; what is known of an order; its commands
 * and their outcome.
 *
 * <pre>
 *   Reservations -- RouteChoice -- GrantBatcher -- Redis: grant -- GrantRecorder -- log: ack -- yes
 *                   (Backlog, DirectBudget)                      -- DirectBooking -- ledger -- yes
 *   Orders -- OrderFinder -- OrderCache (events), Redis (unbooked), ledger
 *          -- OrderWaits, OrderCommands -- log -- CommandOutcomes -- ledger: fence, row
 * </pre>
 *
 * <p>Runs on the event loop of one HTTP verticle; nothing is shared between loops but what says so.
 * No class knows Vert.x itself: {@link io.sluice.reservation.Loop} brings time and timers.
 * Invariant: a yes is said only after the log's ack or the commit that booked it, within the grant
 * deadline; a failed Future of a store is never a refusal. Imports {@code ledger}, {@code stock},
 * {@code orderlog}, {@code config}, {@code metrics}, {@code model}.
 */
@NullMarked
package io.sluice.reservation;

import org.jspecify.annotations.NullMarked;
