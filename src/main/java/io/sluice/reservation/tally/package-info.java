/**
 * Counts what happens in each sale on this instance, and writes it to the ledger in the background:
 * for the report of the sale, which is read the day after.
 *
 * <p>Event loops only add to counters. One context collects them, and all else happens there.
 * Counts since the last write are lost with the process.
 */
@NullMarked
package io.sluice.reservation.tally;

import org.jspecify.annotations.NullMarked;
