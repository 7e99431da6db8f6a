/**
 * {@code mvn -Pdemo}: a whole sale on this machine, from nothing to the audit, for whoever meets
 * Sluice for the first time.
 *
 * <pre>
 *   Demo ── DemoServers: Redis, Kafka, MariaDB, and the service as the fat jar
 *        ── Shop:        the HTTP calls of buyers, back office and operators
 *        ── Stampede:    20,000 buyers, of whom Tally keeps count
 *        ── Audit:       what ledger and Redis say afterwards
 * </pre>
 */
package io.sluice.demo;
