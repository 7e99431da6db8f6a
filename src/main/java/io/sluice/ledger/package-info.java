/**
 * The ledger: append-only rows, the counters derived from them, and the gate that keeps promise P1.
 *
 * <p>Decisions are pure functions ({@link io.sluice.ledger.LedgerBatch}); the SQL behind {@link
 * io.sluice.ledger.Ledger} only loads the picture and writes the rows. Correctness rests on row
 * locks, unique keys and the fence, so any thread of any instance may call it. Imports {@code
 * model}, {@code db}, {@code config}, {@code metrics}.
 */
@NullMarked
package io.sluice.ledger;

import org.jspecify.annotations.NullMarked;
