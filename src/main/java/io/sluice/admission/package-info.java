/**
 * Limits on the calls that an instance takes, before anything else is asked. They are rates of the
 * instance and of each SKU, and sliding windows of each buyer and each address. See docs/limits.md
 * for what each limit counts.
 *
 * <p>Called by all event loops at once, and never waits. Only the caller's side of a limit is
 * decided here, from a monotonic clock and earlier counts; the HTTP answer is made in {@code http}.
 * Invariant: the memory of each part is bounded, whatever callers invent.
 *
 * <p>{@link io.sluice.admission.BlacklistKeeper} keeps the banned buyers of an instance the same as
 * the ledger's blacklist, on the context that created it. Invariants: a ban holds here at once,
 * whatever is down; a change whose success an operator has seen is in the ledger.
 */
@NullMarked
package io.sluice.admission;

import org.jspecify.annotations.NullMarked;
