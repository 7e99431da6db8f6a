/**
 * What was not paid in time ends, later by as long as payments could not be taken.
 *
 * <p>Runs on the event loop of the owner's verticle. Invariant: nobody has less time than promised:
 * an order ends only after all payments before it in the log are booked.
 */
@NullMarked
package io.sluice.owner.timeout;

import org.jspecify.annotations.NullMarked;
