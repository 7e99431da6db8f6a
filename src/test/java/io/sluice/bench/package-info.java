/**
 * {@code mvn -Pbench}: how fast Sluice is, and what an order costs. No test runs it.
 *
 * <pre>
 *   Bench ── Plan:    which rows, how long, how often (-D)
 *         ── Site:    embedded Redis, Kafka, MariaDB; the service and bare servers as child JVMs;
 *                     Books audits it after every row: accepted = ledgered, nothing oversold or stranded
 *         ── Row:     one line of the summary, measured by a Measurement (row), each run again
 *                     beside an older build, if one is given
 *         ── load:    wrk for saturation, one open loop for everything with a rate
 *         ── Figure:  what is measured, with the same meaning in all rows
 *         ── Report:  what is written down; Goals: what is to be reached; Summary: one screen
 * </pre>
 */
package io.sluice.bench;
