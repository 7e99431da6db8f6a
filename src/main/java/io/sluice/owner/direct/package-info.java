/**
 * The work for SKUs that sell in the ledger alone: their time-outs, watermarks, ends and audits
 * and, if there is no order log, their events and the archive.
 *
 * <p>Runs on the event loop of the owner of the first partition; if there is no order log, on one
 * of each instance. Invariant: nothing of it depends on which instance does it, nor on how many:
 * each step is a transaction that locks what it changes.
 */
@NullMarked
package io.sluice.owner.direct;

import org.jspecify.annotations.NullMarked;
