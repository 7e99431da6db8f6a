/**
 * All that is done for a partition after the grant, by the one owner that it has.
 *
 * <pre>
 * OrderLogConsumer --> Membership, DeployedOwners --> PartitionOwnerVerticle --> PartitionOwner
 *   Ownership, OwnedLedger, OwnerContext    is the fence still ours? the ledger under it
 *   Booking, BookingRounds                  order log -> ledger, all partitions together
 *   TimeoutScan, DueScan, Outages           due -> canceled, later by as long as nobody could pay
 *   OutboxRelays                            rows -> events, units in Redis, moves between buckets
 *   Rebuilder, RebuildRequest               ledger -> Redis, bucket by bucket
 *   BucketWatch, Reconciler, LedgerAudit    Redis = ledger? counters = rows?
 *   EndWatch, Archiver, DirectDuties        what ends, what has ended, SKUs without Redis
 * </pre>
 *
 * <p>An owner runs on the event loop of its verticle; {@link io.sluice.owner.LedgerAloneVerticle}
 * does what is left without an order log. Invariants: transactions of one owner never overlap
 * ({@link io.sluice.async.ExecutionSequencer}); each checks the fence, and the offset is part of
 * the commit; Redis is written under the owner's term, after the commit; a row of the outbox is
 * SENT only after its effect is acknowledged; a bucket opens only with all that ledger and log
 * have; no buyer has less time to pay than promised.
 */
@NullMarked
package io.sluice.owner;

import org.jspecify.annotations.NullMarked;
