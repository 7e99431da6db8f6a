/**
 * A sale in which everything dies: buyers, payments and restocks go on while servers, instances and
 * connections are killed, paused and cut off by a plan that a printed seed decides.
 *
 * <pre>
 *   ChaosIT -- ChaosPlan (seed -> faults) -- Striker -- Targets: instances, servers, connections
 *           -- Buyers, Restocker, Prober: traffic, written down as OrderStory
 *           -- Verdict: LedgerCheck, StoryCheck, EventCheck, sell-out -- ChaosReport
 * </pre>
 */
package io.sluice.chaos;
