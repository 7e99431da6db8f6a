package io.sluice.config;

import io.sluice.config.value.IntKey;
import io.sluice.config.value.Settings;
import io.sluice.config.value.StringKey;

/**
 * Traces of single orders and requests, sent by OTLP over HTTP.
 *
 * @param endpoint of the collector; empty records nothing
 * @param authorization the header of this name that the collector expects; empty: none
 * @param sampleOneIn how many orders there are for each one that is recorded; 0 records none
 * @param failuresPerS how many failures that are not sampled are recorded, per second
 * @param askedPerS how many requests are recorded because a trusted proxy asks for it, per second
 * @param queueMax how many spans wait for the collector; over it they are dropped
 * @param link where people look at a trace, with {trace_id} in its place; empty: nowhere
 */
public record TracingConfig(
    String endpoint,
    String authorization,
    int sampleOneIn,
    int failuresPerS,
    int askedPerS,
    int queueMax,
    String link) {
  /** The placeholder of the trace id in a link. */
  private static final String TRACE_ID = "{trace_id}";

  static final StringKey ENDPOINT =
      StringKey.of(
          "tracing.endpoint",
          "",
          "empty or a URL like http://collector:4318, without user and query",
          "|https?://[^\\s/@?#]+(?:/[^\\s@?#]*)?");
  static final StringKey AUTHORIZATION =
      StringKey.secret(
          "tracing.authorization", "visible ASCII characters and spaces", "[\\x20-\\x7e]{0,4096}");
  static final IntKey SAMPLE_ONE_IN = new IntKey("tracing.sample_one_in", 1_000, 0, 1_000_000_000);
  static final IntKey FAILURES_PER_S = new IntKey("tracing.failures_per_s", 10, 0, 1_000);
  static final IntKey ASKED_PER_S = new IntKey("tracing.asked_per_s", 10, 0, 1_000);
  static final IntKey QUEUE_MAX = new IntKey("tracing.queue_max", 4_096, 512, 1_000_000);
  static final StringKey LINK =
      StringKey.of(
          "tracing.link",
          "",
          "empty or a URL with " + TRACE_ID + ", like https://jaeger/trace/" + TRACE_ID,
          "|https?://[^\\s]*\\{trace_id}[^\\s]*");

  public TracingConfig {
    ENDPOINT.check(endpoint);
    AUTHORIZATION.check(authorization);
    SAMPLE_ONE_IN.check(sampleOneIn);
    FAILURES_PER_S.check(failuresPerS);
    ASKED_PER_S.check(askedPerS);
    QUEUE_MAX.check(queueMax);
    LINK.check(link);
  }

  static TracingConfig read(Settings settings) {
    return new TracingConfig(
        settings.text(ENDPOINT),
        settings.text(AUTHORIZATION),
        settings.number(SAMPLE_ONE_IN),
        settings.number(FAILURES_PER_S),
        settings.number(ASKED_PER_S),
        settings.number(QUEUE_MAX),
        settings.text(LINK));
  }

  /** Whether anything is recorded. */
  public boolean isOn() {
    return !endpoint.isEmpty();
  }

  /** Where traces are sent. */
  public String tracesUri() {
    return (endpoint.endsWith("/") ? endpoint : endpoint + "/") + "v1/traces";
  }

  /** Where people look at this trace; empty if that is not known. */
  public String linkOf(String traceId) {
    return link.replace(TRACE_ID, traceId);
  }
}
