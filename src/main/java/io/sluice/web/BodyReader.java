package io.sluice.web;

import io.sluice.web.problem.Problem;
import io.sluice.web.problem.ProblemType;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the JSON body of a request, up to a limit, and answers 415 and 413 itself. */
final class BodyReader {
  static final int BODY_BYTES_MAX = 16 * 1024;
  static final int LARGE_BODY_BYTES_MAX = 256 * 1024;

  private static final String PLAIN_JSON = "application/json";
  private static final Pattern JSON =
      Pattern.compile(
          "\\s*application/json\\s*(;\\s*charset\\s*=\\s*(utf-8|\"utf-8\")\\s*)?",
          Pattern.CASE_INSENSITIVE);

  private static final Problem NOT_JSON =
      Problem.of(
          ProblemType.UNSUPPORTED_MEDIA_TYPE,
          "Content-Type",
          "Expected Content-Type: application/json, in UTF-8, but it is missing or another");
  private static final Problem TOO_LARGE = tooLarge(BODY_BYTES_MAX);
  private static final Problem TOO_LARGE_EVEN_THERE = tooLarge(LARGE_BODY_BYTES_MAX);

  private final Exchange exchange;
  private final HttpServerRequest request;
  private final Handler<Buffer> whole;
  private final int bytesMax;
  private final Problem tooLarge;

  /** Most bodies arrive in one chunk, which is not copied then. */
  private Buffer first = Buffer.buffer();

  private @Nullable Buffer collected;
  private int length;

  private BodyReader(Exchange exchange, int bytesMax, Problem tooLarge, Handler<Buffer> whole) {
    this.exchange = exchange;
    this.bytesMax = bytesMax;
    this.tooLarge = tooLarge;
    this.request = exchange.request();
    this.whole = whole;
  }

  private static Problem tooLarge(int bytesMax) {
    return Problem.of(
        ProblemType.CONTENT_TOO_LARGE,
        "Expected a body of at most " + bytesMax + " bytes, but it is larger");
  }

  /** Calls the handler with the whole body, unless the request is answered with 415 or 413. */
  static void read(Exchange exchange, Handler<Buffer> whole) {
    read(exchange, BODY_BYTES_MAX, whole);
  }

  /** The same with a body that may be larger. */
  static void readLarge(Exchange exchange, Handler<Buffer> whole) {
    read(exchange, LARGE_BODY_BYTES_MAX, whole);
  }

  /** The same with a body of any media type, for calls that take none. */
  static void readAny(Exchange exchange, Handler<Buffer> whole) {
    new BodyReader(exchange, BODY_BYTES_MAX, Input.WITHOUT_BODY, whole).read();
  }

  private static void read(Exchange exchange, int bytesMax, Handler<Buffer> whole) {
    HttpServerRequest request = exchange.request();
    if (!isJson(request.headers().get(HttpHeaders.CONTENT_TYPE))) {
      exchange.answer(NOT_JSON);
      return;
    }
    new BodyReader(
            exchange,
            bytesMax,
            bytesMax == BODY_BYTES_MAX ? TOO_LARGE : TOO_LARGE_EVEN_THERE,
            whole)
        .read();
  }

  /** Whether a request announces that it has no body. */
  static boolean isWithout(HttpServerRequest request) {
    String length = request.headers().get(HttpHeaders.CONTENT_LENGTH);
    return !request.headers().contains(HttpHeaders.TRANSFER_ENCODING)
        && (length == null || length.equals("0"));
  }

  static boolean isJson(@Nullable String contentType) {
    return contentType != null
        && (contentType.equals(PLAIN_JSON) || JSON.matcher(contentType).matches());
  }

  private void read() {
    if (announcedLength() > bytesMax) {
      refuse();
      return;
    }
    if ("100-continue".equalsIgnoreCase(request.headers().get(HttpHeaders.EXPECT))) {
      request.response().writeContinue();
    }
    request.handler(this::chunk);
    request.endHandler(end -> exchange.guard(() -> whole.handle(body())));
  }

  /** The announced length; 0 for a chunked body. A malformed length is rejected before. */
  private long announcedLength() {
    String announced = request.headers().get(HttpHeaders.CONTENT_LENGTH);
    return announced == null ? 0 : Long.parseLong(announced);
  }

  private void chunk(Buffer chunk) {
    length += chunk.length();
    if (length > bytesMax) {
      refuse();
    } else if (length == chunk.length()) {
      first = chunk;
    } else {
      if (collected == null) {
        collected = Buffer.buffer(2 * length).appendBuffer(first);
      }
      collected.appendBuffer(chunk);
    }
  }

  private Buffer body() {
    return collected == null ? first : collected;
  }

  /**
   * Answers that it is too large, and closes the connection, but not while the caller still writes:
   * it would see a connection reset instead of the answer. Bytes that arrive in the meantime are
   * discarded, up to the limits of the decoder of its connection.
   */
  private void refuse() {
    collected = null;
    request.handler(discarded -> {});
    request.endHandler(end -> request.connection().close());
    request.response().headers().set(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    exchange.answer(tooLarge);
  }
}
