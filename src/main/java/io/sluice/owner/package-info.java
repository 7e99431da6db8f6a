/**
 * Assigns partitions to owners, and ends their ownership. The packages below have an owner's
 * duties.
 *
 * <pre>
 * OrderLogConsumer --> OwnerSupervisor --> PartitionOwnerVerticle (timers) --> PartitionOwner
 *                                                                               |  booking    log -> ledger
 *                                                                               |  timeout    due -> canceled
 *                                                                               |  rebuild    ledger -> Redis
 *                                                                               |  reconcile  Redis = ledger?
 *                                                                               |  outbox     rows -> events, Redis
 *                                                                               |  fencing    is the fence still ours?
 * </pre>
 *
 * <p>An owner runs on the event loop of its verticle. Invariants: ledger transactions of one owner
 * never overlap ({@link io.sluice.async.ExecutionSequencer}); each checks the fence; Redis is
 * written under the owner's term, after the commit.
 */
@NullMarked
package io.sluice.owner;

import org.jspecify.annotations.NullMarked;
