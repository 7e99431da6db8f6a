/**
 * What the owner of a partition does: booking, and its duties, one plain class each.
 *
 * <pre>
 * OrderLogConsumer --> OwnerSupervisor --> PartitionOwnerVerticle (timers) --> PartitionOwner
 *                                                                               |  Booking      log -> ledger
 *                                                                               |  TimeoutScan  due -> canceled
 *                                                                               |  BucketWatch  sweep, rebuild when needed
 *                                                                               |  Rebuilder    ledger -> Redis
 *                                                                               |  Reconciler   Redis = ledger?
 *                                                                               |  LedgerAudit  counters = rows?
 *                                                                               |  relays       outbox -> events, Redis
 * </pre>
 *
 * <p>An owner runs on the event loop of its verticle. Invariants: ledger transactions of one owner
 * never overlap ({@link io.sluice.owner.Turns}); each checks the fence; Redis is written under the
 * owner's term, after the commit. Imports {@code ledger}, {@code stock}, {@code orderlog}, {@code
 * config}, {@code metrics}, {@code model}, and the timers of {@code reservation}.
 */
@NullMarked
package io.sluice.owner;

import org.jspecify.annotations.NullMarked;
