/**
 * Sends spans to a collector, by OTLP over HTTP: the only place that knows the libraries of
 * OpenTelemetry.
 *
 * <p>Spans wait in a bounded queue for one thread, which sends them in batches and may block. While
 * the collector is away, spans that do not fit are dropped and counted, nothing is sent twice, and
 * nobody waits.
 */
@NullMarked
package io.sluice.tracing.otlp;

import org.jspecify.annotations.NullMarked;
