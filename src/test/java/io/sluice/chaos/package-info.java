/**
 * A sale under faults: buyers, payments and restocks continue while servers, instances and
 * connections are killed, paused and cut by a plan that follows from a printed seed.
 *
 * <pre>
 *   ChaosIT -- ChaosPlan (seed -> scenes) -- FaultInjector -- Targets: instances, servers, connections
 *           -- Recoveries: waits for the end of each scene, measures it, checks the limits
 *           -- Buyers, Restocker, Seasons, Prober: traffic, recorded as OrderStory
 *           -- Listener: a target of webhooks, in trouble of its own
 *           -- Rewinds: what a ledger that was put back has lost, which the checks excuse
 *           -- Verdict: LedgerReplay, History, StoryCheck, CartCheck, SeasonCheck,
 *              HonestNo, EventCheck, sell-out -- ChaosReport
 * </pre>
 */
package io.sluice.chaos;
