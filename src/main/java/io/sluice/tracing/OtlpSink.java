package io.sluice.tracing;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.InstrumentationLibraryInfo;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import io.sluice.config.Config.TracingConfig;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A collector that takes OTLP over HTTP. Spans that it does not take are not sent again. */
public final class OtlpSink implements OtlpTraces.SpanSink {
  static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
  private static final long NANOS_PER_S = 1_000_000_000;

  /** Kept, because the JDK forgets the level of a logger that nobody holds. */
  private static final Logger LIBRARY = Logger.getLogger("io.opentelemetry");

  private final OtlpHttpSpanExporter exporter;
  private final Resource resource;
  private final InstantSource clock;
  private final LongSupplier nanoTime;

  /**
   * @param instance the name that distinguishes this process from others
   */
  public OtlpSink(
      TracingConfig config, String instance, InstantSource clock, LongSupplier nanoTime) {
    // It would write a line of its own form for each failure; OtlpTraces writes ours.
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

  /** A span of ours in the form that the exporter sends. */
  static final class OtlpSpan implements SpanData {
    private static final InstrumentationScopeInfo SCOPE = InstrumentationScopeInfo.create("sluice");
    private static final int ERROR_MAX = 500;

    private final Span span;
    private final Resource resource;
    private final long nanosSince1970;
    private final Attributes attributes;
    private final List<LinkData> links;

    /**
     * @param nanosSince1970 what the clock of {@link System#nanoTime} is behind the time of day
     */
    OtlpSpan(Span span, Resource resource, long nanosSince1970) {
      this.span = span;
      this.resource = resource;
      this.nanosSince1970 = nanosSince1970;
      this.attributes = attributes(span);
      this.links = span.links().stream().map(link -> LinkData.create(context(link))).toList();
    }

    private static Attributes attributes(Span span) {
      AttributesBuilder attributes = Attributes.builder();
      span.attributes()
          .forEach(
              (name, value) -> {
                if (value instanceof Number number) {
                  attributes.put(name, number.longValue());
                } else if (value instanceof Boolean flag) {
                  attributes.put(name, flag);
                } else {
                  attributes.put(name, value.toString());
                }
              });
      return attributes.build();
    }

    private static SpanContext context(TraceContext of) {
      return context(of.traceId(), of.spanId());
    }

    private static SpanContext context(String traceId, String spanId) {
      return SpanContext.create(traceId, spanId, TraceFlags.getSampled(), TraceState.getDefault());
    }

    @Override
    public String getName() {
      return span.name();
    }

    @Override
    public SpanKind getKind() {
      return SpanKind.valueOf(span.kind().name());
    }

    @Override
    public SpanContext getSpanContext() {
      return context(span.context());
    }

    @Override
    public SpanContext getParentSpanContext() {
      String parent = span.parentSpanId();
      return parent == null ? SpanContext.getInvalid() : context(span.context().traceId(), parent);
    }

    @Override
    public StatusData getStatus() {
      String error = span.error();
      return error == null ? StatusData.unset() : StatusData.create(StatusCode.ERROR, cut(error));
    }

    private static String cut(String error) {
      return error.length() <= ERROR_MAX ? error : error.substring(0, ERROR_MAX);
    }

    @Override
    public long getStartEpochNanos() {
      return nanosSince1970 + span.startNanos();
    }

    @Override
    public long getEndEpochNanos() {
      return nanosSince1970 + span.endNanos();
    }

    @Override
    public Attributes getAttributes() {
      return attributes;
    }

    @Override
    public List<EventData> getEvents() {
      return List.of();
    }

    @Override
    public List<LinkData> getLinks() {
      return links;
    }

    @Override
    public boolean hasEnded() {
      return true;
    }

    @Override
    public int getTotalRecordedEvents() {
      return 0;
    }

    @Override
    public int getTotalRecordedLinks() {
      return links.size();
    }

    @Override
    public int getTotalAttributeCount() {
      return attributes.size();
    }

    @Override
    public InstrumentationScopeInfo getInstrumentationScopeInfo() {
      return SCOPE;
    }

    @Override
    @SuppressWarnings("deprecation")
    public InstrumentationLibraryInfo getInstrumentationLibraryInfo() {
      return InstrumentationLibraryInfo.create(SCOPE.getName(), SCOPE.getVersion());
    }

    @Override
    public Resource getResource() {
      return resource;
    }
  }
}
