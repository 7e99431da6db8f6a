package io.sluice.tracing.otlp;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.common.InstrumentationLibraryInfo;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import io.sluice.tracing.Span;
import io.sluice.tracing.TraceContext;
import java.util.List;

/** A span of ours in the form that the exporter sends. */
final class OtlpSpan implements SpanData {
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
