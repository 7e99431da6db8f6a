/**
 * Rebuilds a bucket in Redis from the ledger: freeze, book the log to its end, load under a new
 * epoch, open. Also books grants that stayed unbooked ({@link
 * io.sluice.owner.rebuild.UnbookedGrants}).
 *
 * <p>Runs on the event loop of the owner's verticle. Invariant: a bucket opens only with everything
 * that the ledger and the log have.
 */
@NullMarked
package io.sluice.owner.rebuild;

import org.jspecify.annotations.NullMarked;
