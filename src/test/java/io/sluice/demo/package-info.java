/**
 * {@code mvn -Pdemo}: a complete sale on this machine, from starting the servers to the audit, as a
 * first look at Sluice.
 *
 * <pre>
 *   Demo ── DemoServers: Redis, Kafka, MariaDB, and the service as the fat jar
 *        ── Shop:        the HTTP calls of buyers, back office and operators
 *        ── FirstCart:   an order of two SKUs, before the rush
 *        ── Stampede:    20,000 buyers; Tally counts their answers
 *        ── Audit:       the state of ledger and Redis afterwards
 * </pre>
 */
package io.sluice.demo;
