/**
 * The order log into the ledger: whole records in log order, one transaction a slice, retried until
 * it succeeds; what is booked is then taken out of Redis' {@code unbooked}.
 *
 * <p>Runs on the event loop of the owner's verticle. Invariant: the offset is part of the commit,
 * so that each record takes effect once.
 */
@NullMarked
package io.sluice.owner.booking;

import org.jspecify.annotations.NullMarked;
