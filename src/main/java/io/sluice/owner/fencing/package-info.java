/**
 * What an owner may do, and until when: the fence as it was written last, the ledger under it, the
 * order in which its work is done.
 *
 * <p>Runs on the event loop of the owner's verticle. Invariant: transactions of one owner never
 * overlap, each checks the fence, and after the loss of it nothing more is begun.
 */
@NullMarked
package io.sluice.owner.fencing;

import org.jspecify.annotations.NullMarked;
