/**
 * Keeps the {@link io.sluice.admission.BannedBuyers} of an instance the same as the ledger's
 * blacklist, and so as those of all other instances. Reads it at the start and every few seconds,
 * is notified of each change by an event, and writes the bans of this instance.
 *
 * <p>Runs on the context that created it. Invariants: a ban holds here at once, whatever is down; a
 * change whose success an operator has seen is in the ledger.
 */
@NullMarked
package io.sluice.admission.blacklist;

import org.jspecify.annotations.NullMarked;
