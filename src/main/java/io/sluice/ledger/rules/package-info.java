/**
 * What becomes of a batch of commands, of a restock, of a payment: pure decisions, and the rows
 * that follow from them.
 *
 * <p>No clock, no Future, no SQL; any thread. Invariant: P1, nothing is oversold, is kept here, by
 * the gate of {@link io.sluice.ledger.rules.LedgerBatch}.
 */
@NullMarked
package io.sluice.ledger.rules;

import org.jspecify.annotations.NullMarked;
