/**
 * Who owns which partition, and for how long. What an owner does is in the rooms below.
 *
 * <pre>
 * OrderLogConsumer --> OwnerSupervisor --> PartitionOwnerVerticle (timers) --> PartitionOwner
 *                                                                               |  booking    log -> ledger
 *                                                                               |  timeout    due -> canceled
 *                                                                               |  rebuild    ledger -> Redis
 *                                                                               |  reconcile  Redis = ledger?
 *                                                                               |  outbox     rows -> events, Redis
 *                                                                               |  fencing    is it still ours?
 * </pre>
 *
 * <p>An owner runs on the event loop of its verticle. Invariants: ledger transactions of one owner
 * never overlap ({@link io.sluice.async.ExecutionSequencer}); each checks the fence; Redis is
 * written under the owner's term, after the commit.
 */
@NullMarked
package io.sluice.owner;

import org.jspecify.annotations.NullMarked;
