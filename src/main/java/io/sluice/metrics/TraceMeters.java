package io.sluice.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** The meters of traces. */
public final class TraceMeters {
  private final Counter sent;
  private final Counter dropped;
  private final Counter failed;

  public TraceMeters(MeterRegistry registry) {
    this.sent = spans(registry, "sent");
    this.dropped = spans(registry, "dropped");
    this.failed = spans(registry, "failed");
  }

  private static Counter spans(MeterRegistry registry, String outcome) {
    return Counter.builder("sluice_trace_spans").tag("outcome", outcome).register(registry);
  }

  /** Counts spans that the collector has taken. */
  public void sent(int spans) {
    sent.increment(spans);
  }

  /** Counts spans for which there was no room in the queue. */
  public void dropped(int spans) {
    dropped.increment(spans);
  }

  /** Counts spans that the collector has not taken, or not in time. */
  public void failed(int spans) {
    failed.increment(spans);
  }
}
