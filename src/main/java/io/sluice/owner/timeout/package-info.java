/**
 * Cancels orders that were not paid in time, later by as long as payments were impossible.
 *
 * <p>Runs on the event loop of the owner's verticle. Invariant: no buyer has less time than
 * promised; an order is canceled only after all payments before its deadline in the log are booked.
 */
@NullMarked
package io.sluice.owner.timeout;

import org.jspecify.annotations.NullMarked;
