/**
 * The protocol, explored: the real decision code on stores in memory, under a scheduler that is
 * drawn from a seed and delays, reorders, repeats, loses, pauses and crashes at every await.
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
