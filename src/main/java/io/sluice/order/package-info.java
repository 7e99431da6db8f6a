/**
 * Existing orders: their current state, their changes, their commands and the outcome of these; and
 * the SKUs that exist, and how much of each is left.
 *
 * <pre>
 * Orders -- OrderFinder -- OrderCache (events), Redis (unbooked), ledger
 *        -- OrderWaits, CommandOutcomes -- log -- ledger: fence, row
 * </pre>
 *
 * <p>Runs on the event loop of one HTTP verticle; of Vert.x it uses Futures only, as {@code grant}
 * does: {@link io.sluice.async.LoopContext} gives time and timers. Invariants: only an open Redis
 * and the ledger together can show that an order does not exist; look-ups of unknown SKUs cost one
 * query at a time, however many there are.
 */
@NullMarked
package io.sluice.order;

import org.jspecify.annotations.NullMarked;
