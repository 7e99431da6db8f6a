package io.sluice.tracing.otlp;

import io.sluice.config.TracingConfig;
import io.sluice.metrics.TraceMeters;
import io.sluice.tracing.HeadSampling;
import io.sluice.tracing.Span;
import io.sluice.tracing.Traces;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Traces that are sent to a collector. Thread-safe. */
public final class OtlpTraces implements Traces {
  private final HeadSampling sampling;
  private final SecondBudget failures;
  private final SecondBudget refusals;
  private final SecondBudget asked;
  private final SpanQueue queue;

  OtlpTraces(
      TracingConfig config, Supplier<SpanSink> sink, TraceMeters meters, LongSupplier nanoTime) {
    this.sampling = HeadSampling.of(config.sampleOneIn());
    this.failures = new SecondBudget(config.failuresPerS(), nanoTime);
    this.refusals = new SecondBudget(config.failuresPerS(), nanoTime);
    this.asked = new SecondBudget(config.askedPerS(), nanoTime);
    this.queue = new SpanQueue(config.queueMax(), sink, meters, nanoTime);
  }

  /**
   * Begins to send; nothing waits for the collector.
   *
   * @param instance the name that distinguishes this process from others
   */
  public static OtlpTraces open(
      TracingConfig config,
      String instance,
      TraceMeters meters,
      InstantSource clock,
      LongSupplier nanoTime) {
    return new OtlpTraces(
        config, () -> new OtlpSink(config, instance, clock, nanoTime), meters, nanoTime);
  }

  @Override
  public boolean isOn() {
    return true;
  }

  @Override
  public boolean samples(String orderToken) {
    return sampling.chooses(orderToken);
  }

  @Override
  public boolean takesFailure(boolean busy) {
    return (busy ? refusals : failures).take();
  }

  @Override
  public boolean takesAsked() {
    return asked.take();
  }

  @Override
  public void record(Span span) {
    queue.add(span);
  }

  /** Sends what waits, once. Completes on any thread. */
  public Future<Void> close() {
    return queue.close();
  }
}
