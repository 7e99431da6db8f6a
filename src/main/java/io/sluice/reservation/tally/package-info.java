/**
 * Counts what happens in each sale on this instance, and writes it to the ledger in the background:
 * for the report of the sale, which is read the day after.
 *
 * <p>Event loops only add to counters. One context collects them, and all else happens there. What
 * was counted since the last write dies with the process.
 */
@NullMarked
package io.sluice.reservation.tally;

import org.jspecify.annotations.NullMarked;
