/**
 * The rights of an owner, and their time: the fence as last written, the ledger under it, and the
 * order of its work.
 *
 * <p>Runs on the event loop of the owner's verticle. Invariant: transactions of one owner never
 * overlap, each checks the fence, and after the fence is lost nothing more is started.
 */
@NullMarked
package io.sluice.owner.fencing;

import org.jspecify.annotations.NullMarked;
