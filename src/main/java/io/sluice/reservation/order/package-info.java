/**
 * Existing orders: their current state, their changes, their commands and the outcome of these.
 *
 * <pre>
 * Orders -- OrderFinder -- OrderCache (events), Redis (unbooked), ledger
 *        -- OrderWaits, CommandOutcomes -- log -- ledger: fence, row
 * </pre>
 *
 * <p>Runs on the event loop of one HTTP verticle. Invariant: only an open Redis and the ledger
 * together can show that an order does not exist.
 */
@NullMarked
package io.sluice.reservation.order;

import org.jspecify.annotations.NullMarked;
