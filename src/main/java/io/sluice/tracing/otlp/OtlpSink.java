package io.sluice.tracing.otlp;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.sluice.config.TracingConfig;
import io.sluice.tracing.Span;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A collector that takes OTLP over HTTP. Spans that it does not take are not sent again. */
final class OtlpSink implements SpanSink {
  static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
  private static final long NANOS_PER_S = 1_000_000_000;

  /** Kept, because the JDK forgets the level of a logger that nobody holds. */
  private static final Logger LIBRARY = Logger.getLogger("io.opentelemetry");

  private final OtlpHttpSpanExporter exporter;
  private final Resource resource;
  private final InstantSource clock;
  private final LongSupplier nanoTime;

  OtlpSink(TracingConfig config, String instance, InstantSource clock, LongSupplier nanoTime) {
    // It would write a line of its own form for each failure; SpanQueue writes ours.
    LIBRARY.setLevel(Level.OFF);
    OtlpHttpSpanExporterBuilder builder =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(config.tracesUri())
            .setRetryPolicy(null)
            .setConnectTimeout(CONNECT_TIMEOUT)
            .setTimeout(TIMEOUT);
    if (!config.authorization().isEmpty()) {
      builder.addHeader("Authorization", config.authorization());
    }
    this.exporter = builder.build();
    this.resource =
        Resource.create(
            Attributes.builder()
                .put("service.name", "sluice")
                .put("service.instance.id", instance)
                .build());
    this.clock = clock;
    this.nanoTime = nanoTime;
  }

  @Override
  public boolean send(List<Span> spans) {
    Instant now = clock.instant();
    long since1970 = now.getEpochSecond() * NANOS_PER_S + now.getNano() - nanoTime.getAsLong();
    List<SpanData> all =
        spans.stream().<SpanData>map(span -> new OtlpSpan(span, resource, since1970)).toList();
    CompletableResultCode sent = exporter.export(all);
    return sent.join(2 * TIMEOUT.toMillis(), TimeUnit.MILLISECONDS).isSuccess();
  }

  @Override
  public void close() {
    exporter.shutdown().join(CONNECT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
  }
}
