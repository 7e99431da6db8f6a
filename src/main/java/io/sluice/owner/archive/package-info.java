/**
 * Moves the orders of ended sales to the archive, and takes the ids of buyers out of them.
 *
 * <p>Runs on the event loop of the verticle that owns the first partition, so one instance does it
 * for all. Invariant: its progress is in the ledger, and is committed with the rows. Two that do it
 * at the same time wait for each other there, and do nothing twice.
 */
@NullMarked
package io.sluice.owner.archive;

import org.jspecify.annotations.NullMarked;
