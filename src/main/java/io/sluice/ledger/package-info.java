/**
 * The ledger: append-only rows, and the counters derived from them. This package has its ports,
 * split by caller, and their values.
 *
 * <p>Any thread of any instance may call them. A failed Future means that the outcome is unknown
 * ({@link io.sluice.ledger.LedgerUnavailableException}), or that the data cannot be applied ({@link
 * io.sluice.ledger.UnprocessableException}).
 */
@NullMarked
package io.sluice.ledger;

import org.jspecify.annotations.NullMarked;
