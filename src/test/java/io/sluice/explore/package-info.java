/**
 * Explores the protocol: runs the real decision code on stores in memory, under a scheduler whose
 * seed decides which calls are delayed, reordered, repeated or lost, and when nodes pause or crash.
 *
 * <pre>
 * Buyer, Operator --> Front --> ApiNode   (Reservations, Orders)  --+
 *                     Group --> OwnerNode (PartitionOwner)        --+--> Wire --> stores in memory
 *                                                                          |
 *                                             Fault, drawn per call  <-----+----> Invariants, Promises
 * </pre>
 *
 * <p>One thread, virtual time. A run is a function of its {@link io.sluice.explore.run.Scenario}
 * and {@link io.sluice.explore.run.Cut}, so a failing one can be replayed step by step and shrunk.
 */
package io.sluice.explore;
