/**
 * The records of single orders and requests, as spans of OpenTelemetry: the port, and what a span
 * is. No other package knows how spans are sent.
 *
 * <pre>
 * request -- sampled? --> TraceContext of its order --> record of the order log (traceparent) --> booking --> event (traceparent)
 *                              |                                                                     |
 *                              +-- a span of the order's trace for each step, linked with the span of its batch
 * </pre>
 *
 * <p>The id of an order's trace is the id in its token, so every instance knows the trace of an
 * order at any time, and whether it is sampled, and nothing is stored for it. Invariant: a trace
 * changes no decision, and if it is off or the order is not sampled, nothing is allocated for it.
 */
@NullMarked
package io.sluice.tracing;

import org.jspecify.annotations.NullMarked;
