/**
 * A sale in which everything dies: buyers, payments and restocks go on while servers, instances and
 * connections are killed, paused and cut off by a plan that a printed seed decides.
 *
 * <pre>
 *   ChaosIT -- ChaosPlan (seed -> scenes) -- FaultInjector -- Targets: instances, servers, connections
 *           -- Recoveries: waits for the end of each scene, measures it, holds it to the limits
 *           -- Buyers, Restocker, Prober: traffic, written down as OrderStory
 *           -- Rewinds: what a ledger that was put back has forgotten, and the checks excuse
 *           -- Verdict: LedgerReplay, History, StoryCheck, EventCheck, sell-out -- ChaosReport
 * </pre>
 */
package io.sluice.chaos;
