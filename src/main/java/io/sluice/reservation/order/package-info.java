/**
 * An order that exists: what it is now, what becomes of it, its commands and their outcome.
 *
 * <pre>
 * Orders -- OrderFinder -- OrderCache (events), Redis (unbooked), ledger
 *        -- OrderWaits, OrderCommands -- log -- CommandOutcomes -- ledger: fence, row
 * </pre>
 *
 * <p>Runs on the event loop of one HTTP verticle. Invariant: only an open Redis and the ledger
 * together can say that there is no such order.
 */
@NullMarked
package io.sluice.reservation.order;

import org.jspecify.annotations.NullMarked;
