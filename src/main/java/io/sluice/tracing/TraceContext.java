package io.sluice.tracing;

import io.sluice.model.OrderToken;
import java.util.HexFormat;
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

  private static final HexFormat HEX = HexFormat.of();
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
    return HEX.toHexDigits(ThreadLocalRandom.current().nextLong() | 1);
  }

  /** As a traceparent. */
  public String text() {
    return "00-" + traceId + "-" + spanId + "-01";
  }

  /** The 128 bits at the end of an order token, which are its trace id. */
  static final class OrderHash {
    private static final int CHARACTERS = 22;
    private static final int BITS_PER_CHARACTER = 6;

    /** From here on, 22 characters have the last 64 of 128 bits, and four more behind them. */
    private static final int LOW_AT = 10;

    private static final int SPARE_BITS = 4;

    /** Of the character at {@link #LOW_AT}: its first four bits are the last of the other half. */
    private static final int LOW_BITS = 3;

    private static final int HIGH_BITS = 4;

    private OrderHash() {}

    /** Whether the text is long enough for an order token. */
    static boolean isThere(String text) {
      return text.length() > CHARACTERS;
    }

    /** The last 64 bits; allocates nothing. */
    static long low(String token) {
      int from = token.length() - CHARACTERS;
      long low = bits(token.charAt(from + LOW_AT)) & LOW_BITS;
      for (int i = LOW_AT + 1; i < CHARACTERS - 1; i++) {
        low = low << BITS_PER_CHARACTER | bits(token.charAt(from + i));
      }
      return low << (BITS_PER_CHARACTER - SPARE_BITS)
          | bits(token.charAt(token.length() - 1)) >> SPARE_BITS;
    }

    private static long high(String token) {
      int from = token.length() - CHARACTERS;
      long high = 0;
      for (int i = 0; i < LOW_AT; i++) {
        high = high << BITS_PER_CHARACTER | bits(token.charAt(from + i));
      }
      return high << HIGH_BITS
          | bits(token.charAt(from + LOW_AT)) >> (BITS_PER_CHARACTER - HIGH_BITS);
    }

    /** All bits, as 32 hexadecimal digits. The half that is the id of a span is not 0. */
    static String hex(String token) {
      long low = low(token);
      return HEX.toHexDigits(high(token)) + HEX.toHexDigits(low == 0 ? 1 : low);
    }

    /** The six bits of a character of base64url. */
    private static int bits(char c) {
      if (c >= 'A' && c <= 'Z') {
        return c - 'A';
      }
      if (c >= 'a' && c <= 'z') {
        return c - 'a' + 26;
      }
      if (c >= '0' && c <= '9') {
        return c - '0' + 52;
      }
      return c == '-' ? 62 : 63;
    }
  }
}
