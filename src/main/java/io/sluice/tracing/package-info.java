/**
 * The records of single orders and requests, as spans of OpenTelemetry: the port, and what a span
 * is, and {@link io.sluice.tracing.OtlpTraces}, which sends them to a collector by OTLP over HTTP.
 * No other package knows the libraries of OpenTelemetry.
 *
 * <pre>
 * request -- sampled? --> TraceContext of its order --> record of the order log (traceparent) --> booking --> event (traceparent)
 *                              |                                                                     |
 *                              +-- a span of the order's trace for each step, linked with the span of its batch
 * </pre>
 *
 * <p>The id of an order's trace is the id in its token, so every instance knows the trace of an
 * order at any time, and whether it is sampled, and nothing is stored for it. Spans wait in a
 * bounded queue for one thread, which sends them in batches and may block. While the collector is
 * away, spans that do not fit are dropped and counted, nothing is sent twice, and nobody waits.
 * Invariant: a trace changes no decision, and if it is off or the order is not sampled, nothing is
 * allocated for it.
 */
@NullMarked
package io.sluice.tracing;

import org.jspecify.annotations.NullMarked;
