/**
 * {@code mvn -Pbench}: how fast Sluice is, as ratios within one run, so that the variation of the
 * machine cancels out. No test runs it.
 *
 * <pre>
 *   Bench ── Plan:       which rows, how long, how often (-D)
 *         ── Site:       embedded Redis, Kafka, MariaDB; the service and the bare server as child JVMs
 *         ── Row:        one line of the table, measured by a Measurement
 *         ── load:       the generator, a process of its own
 *         ── schemes:    the other known ways to sell scarce stock, for comparison
 *         ── BooksCheck: accepted = ledgered, nothing oversold, nothing stranded, after every row
 *         ── Report:     what is written down
 *         ── chart:      and drawn, one chart a finding
 * </pre>
 */
package io.sluice.bench;
