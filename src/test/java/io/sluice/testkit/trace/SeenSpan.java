package io.sluice.testkit.trace;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A span that a collector was sent.
 *
 * @param parentSpanId empty for the first span of a trace
 * @param kind of OTLP: 1 internal, 2 server, 3 client, 4 producer
 * @param links the spans that it is linked with, as trace id and span id
 * @param failed whether its status is an error
 * @param message of its status
 */
public record SeenSpan(
    String traceId,
    String spanId,
    String parentSpanId,
    String name,
    long kind,
    long startNanos,
    long endNanos,
    Map<String, String> attributes,
    List<String> links,
    boolean failed,
    String message) {
  private static final int ERROR = 2;

  /** The spans of an export request. */
  static List<SeenSpan> of(byte[] request) {
    return new WireMessage(request)
        .messages(1).stream()
            .flatMap(resource -> resource.messages(2).stream())
            .flatMap(scope -> scope.messages(2).stream())
            .map(SeenSpan::of)
            .toList();
  }

  private static SeenSpan of(WireMessage span) {
    Map<String, String> attributes = new TreeMap<>();
    for (WireMessage attribute : span.messages(9)) {
      WireMessage value = attribute.messages(2).get(0);
      attributes.put(
          attribute.text(1), value.has(1) ? value.text(1) : String.valueOf(value.number(3)));
    }
    List<WireMessage> status = span.messages(15);
    return new SeenSpan(
        span.hex(1),
        span.hex(2),
        span.hex(4),
        span.text(5),
        span.number(6),
        span.number(7),
        span.number(8),
        attributes,
        span.messages(13).stream().map(link -> link.hex(1) + "/" + link.hex(2)).toList(),
        !status.isEmpty() && status.get(0).number(3) == ERROR,
        status.isEmpty() ? "" : status.get(0).text(2));
  }

  /** As others are linked with it. */
  public String place() {
    return traceId + "/" + spanId;
  }
}
