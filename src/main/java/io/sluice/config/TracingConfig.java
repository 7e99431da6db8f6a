package io.sluice.config;

import static io.sluice.config.Key.Shown.SECRET;

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
    @Key(
            form = "|https?://[^\\s/@?#]+(?:/[^\\s@?#]*)?",
            expected = "empty or a URL like http://collector:4318, without user and query")
        String endpoint,
    @Key(
            form = "[\\x20-\\x7e]{0,4096}",
            expected = "visible ASCII characters and spaces",
            shown = SECRET)
        String authorization,
    @Key(value = "1000", max = 1_000_000_000) int sampleOneIn,
    @Key(value = "10", max = 1_000) int failuresPerS,
    @Key(value = "10", max = 1_000) int askedPerS,
    @Key(value = "4096", min = 512, max = 1_000_000) int queueMax,
    @Key(
            form = "|https?://[^\\s]*\\{trace_id}[^\\s]*",
            expected = "empty or a URL with {trace_id}, like https://jaeger/trace/{trace_id}")
        String link) {

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
    return link.replace("{trace_id}", traceId);
  }
}
