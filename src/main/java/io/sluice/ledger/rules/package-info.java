/**
 * Pure decisions about a batch of commands, a restock or a payment, and the rows that follow from
 * them.
 *
 * <p>No clock, no Future, no SQL; any thread. Invariant: the gate of {@link
 * io.sluice.ledger.rules.LedgerBatch} keeps P1, nothing is oversold.
 */
@NullMarked
package io.sluice.ledger.rules;

import org.jspecify.annotations.NullMarked;
