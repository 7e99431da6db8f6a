package io.sluice.tracing;

import io.sluice.model.OrderToken;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A span that is recorded, as others refer to it: the sampled part of W3C Trace Context.
 *
 * @param traceId 32 lower-case hexadecimal digits, not all of them 0
 * @param spanId 16 lower-case hexadecimal digits, not all of them 0
 */
public record TraceContext(String traceId, String spanId) {
  /** The name of the header of a request, and of an event. */
  public static final String HEADER = "traceparent";

  /** The names of its parts in log lines: those of OpenTelemetry. */
  public static final String TRACE_ID = "trace_id";

  public static final String SPAN_ID = "span_id";

  private static final int SPAN_DIGITS = 16;
  private static final int LENGTH = 55;
  private static final int TRACE_AT = 3;
  private static final int SPAN_AT = 36;
  private static final int FLAGS_AT = 53;
  private static final String NO_TRACE = "0".repeat(32);
  private static final String NO_SPAN = "0".repeat(SPAN_DIGITS);

  /** A later version may have more behind the flags; ff is none. */
  private static final Pattern FORM =
      Pattern.compile("(?!ff)[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?");

  /**
   * Reads a traceparent; null if it is malformed, or its span is not sampled.
   *
   * @param text of any length
   */
  public static @Nullable TraceContext sampled(@Nullable String text) {
    if (text == null || text.length() < LENGTH || !FORM.matcher(text).matches()) {
      return null;
    }
    boolean isTooLong = text.startsWith("00") && text.length() > LENGTH;
    boolean isSampled = (Character.digit(text.charAt(FLAGS_AT + 1), 16) & 1) == 1;
    String traceId = text.substring(TRACE_AT, SPAN_AT - 1);
    String spanId = text.substring(SPAN_AT, FLAGS_AT - 1);
    return isTooLong || !isSampled || traceId.equals(NO_TRACE) || spanId.equals(NO_SPAN)
        ? null
        : new TraceContext(traceId, spanId);
  }

  /**
   * The first span of an order's trace. It follows from the token, so that each later span has its
   * place below it, on any instance.
   */
  public static TraceContext ofOrder(String orderToken) {
    String traceId = OrderHash.hex(orderToken);
    return new TraceContext(traceId, traceId.substring(SPAN_DIGITS));
  }

  public static TraceContext ofOrder(OrderToken token) {
    return ofOrder(token.value());
  }

  /** The first span of a new trace. */
  public static TraceContext fresh() {
    return new TraceContext(randomHex() + randomHex(), randomHex());
  }

  /** A new span of the same trace. */
  public TraceContext child() {
    return new TraceContext(traceId, randomHex());
  }

  private static String randomHex() {
    return OrderHash.hex(ThreadLocalRandom.current().nextLong() | 1);
  }

  /** As a traceparent. */
  public String text() {
    return "00-" + traceId + "-" + spanId + "-01";
  }
}
