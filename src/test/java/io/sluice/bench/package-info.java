/**
 * {@code mvn -Pbench}: how fast Sluice is, as ratios within one run, so that the machine's mood
 * cancels out. Never run by the tests.
 *
 * <pre>
 *   Bench ── Plan:       which rows, how long, how often (-D)
 *         ── Site:       embedded Redis, Kafka, MariaDB; the service and the bare server as child JVMs
 *         ── Row:        one line of the table, measured by a Measurement
 *         ── load:       the generator, a process of its own
 *         ── schemes:    the other known ways to sell scarce stock, for comparison
 *         ── BooksCheck: accepted = ledgered, nothing oversold, nothing stranded, after every row
 *         ── Report, Chart: what is written down
 * </pre>
 */
package io.sluice.bench;
