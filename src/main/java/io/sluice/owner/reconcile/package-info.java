/**
 * Redis held beside the ledger, and the ledger's counters beside its rows; what has to be swept or
 * rebuilt is found here ({@link io.sluice.owner.reconcile.BucketWatch}), and what other instances
 * ask is answered.
 *
 * <p>Runs on the event loop of the owner's verticle. Invariant: a difference counts only where
 * nothing under way explains it.
 */
@NullMarked
package io.sluice.owner.reconcile;

import org.jspecify.annotations.NullMarked;
