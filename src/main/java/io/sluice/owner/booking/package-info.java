/**
 * Books the order log into the ledger: whole records in log order, one transaction per slice,
 * retried until it succeeds. Booked tokens are then removed from {@code unbooked} in Redis.
 *
 * <p>Runs on the event loop of the owner's verticle. Invariant: the offset is part of the commit,
 * so that each record takes effect once.
 */
@NullMarked
package io.sluice.owner.booking;

import org.jspecify.annotations.NullMarked;
