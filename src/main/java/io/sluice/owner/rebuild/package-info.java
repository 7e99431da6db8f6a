/**
 * A bucket from the ledger into Redis: freeze, read the log to its end, load under a new epoch,
 * open; and the booking of grants that stayed unbooked ({@link
 * io.sluice.owner.rebuild.UnbookedGrants}).
 *
 * <p>Runs on the event loop of the owner's verticle. Invariant: a bucket opens only with all that
 * the ledger and the log say.
 */
@NullMarked
package io.sluice.owner.rebuild;

import org.jspecify.annotations.NullMarked;
