/**
 * Compares Redis with the ledger, and the ledger's counters with its rows. Finds what has to be
 * swept or rebuilt ({@link io.sluice.owner.reconcile.BucketWatch}), and serves requests from other
 * instances.
 *
 * <p>Runs on the event loop of the owner's verticle. Invariant: a difference counts only if no
 * operation in progress explains it.
 */
@NullMarked
package io.sluice.owner.reconcile;

import org.jspecify.annotations.NullMarked;
