package io.sluice.web;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.ledger.LedgerUnavailableException;
import io.sluice.model.Limits;
import io.sluice.model.ProblemType;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.CancellationException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * An answer of RFC 9457. Its body is built once, so constant problems cost nothing to send again.
 */
public final class Problem {
  private static final CharSequence MEDIA_TYPE =
      HttpHeaders.createOptimized("application/problem+json");
  private static final CharSequence RETRY_AFTER = HttpHeaders.createOptimized("retry-after");
  private static final CharSequence WWW_AUTHENTICATE =
      HttpHeaders.createOptimized("www-authenticate");
  private static final CharSequence BEARER = HttpHeaders.createOptimized("Bearer");

  private static final Logger log = LoggerFactory.getLogger(Problem.class);

  /** The begin of the {@code type} of each problem, which the word follows. */
  static final String PATH = "/problems/";

  public static final Problem NOT_FOUND =
      of(ProblemType.NOT_FOUND, "Expected a path of this API, but this is none");
  public static final Problem UNKNOWN_ORDER =
      of(ProblemType.UNKNOWN_ORDER, "Expected the token of an order, but there is none like this");
  public static final Problem UNKNOWN_SKU =
      of(ProblemType.UNKNOWN_SKU, "Expected the id of a SKU, but there is none like this");
  public static final Problem UNKNOWN_SALE =
      of(ProblemType.UNKNOWN_SALE, "Expected the id of a sale, but there is none like this");
  public static final Problem INTERNAL =
      of(ProblemType.INTERNAL, "Expected to answer, but failed; the reason is in the log");
  public static final Problem STARTING =
      retry(ProblemType.UNAVAILABLE, "Expected all parts to be up, but they are being started", 2);
  public static final Problem DRAINING =
      retry(ProblemType.UNAVAILABLE, "Expected a running instance, but this one is stopping", 1);
  public static final Problem OVERLOADED =
      retry(ProblemType.BUSY, "Expected room for one more request, but all places are taken", 1);
  public static final Problem LOADING =
      retry(ProblemType.BUSY, "Expected a loaded SKU, but it is being loaded", 1);
  public static final Problem NOT_YET =
      retry(
          ProblemType.BUSY,
          "Expected every instance to know refunds with restock: false, but an older one may run:"
              + " upgrade or end it; one that was killed counts for a day (docs/deploy.md, Levels)",
          60);
  public static final Problem PART_DOWN =
      retry(ProblemType.UNAVAILABLE, "Expected all parts to answer, but one is down", 2);

  public static final Problem MALFORMED_REQUEST =
      of(
          ProblemType.BAD_REQUEST,
          "request",
          "Expected a well-formed HTTP/1.1 request, but it is not");
  public static final Problem AMBIGUOUS_LENGTH =
      of(
          ProblemType.BAD_REQUEST,
          "Transfer-Encoding",
          "Expected a Content-Length or, in HTTP/1.1, Transfer-Encoding: chunked, but got another");
  public static final Problem OTHER_HOST =
      of(
          ProblemType.BAD_REQUEST,
          "Host",
          "Expected one Host, of a name or an address and maybe a port, but got another");
  public static final Problem HEADERS_TOO_LARGE =
      of(
          ProblemType.HEADERS_TOO_LARGE,
          "Expected a request line of at most %d bytes and headers of at most http.header_bytes_max, but got more"
              .formatted(Limits.REQUEST_LINE_BYTES_MAX));
  public static final Problem OTHER_VERSION =
      of(ProblemType.HTTP_VERSION, "Expected HTTP/1.1 or HTTP/1.0, but got another version");
  public static final Problem LATE_REQUEST =
      of(
          ProblemType.REQUEST_TIMEOUT,
          "Expected the whole request within http.body_timeout_s, but it has not arrived");
  public static final Problem POLLS_FULL =
      retry(ProblemType.BUSY, "Expected room for one more wait, but all places are taken", 1);
  public static final Problem POLLS_OF_BUYER =
      retry(
          ProblemType.TOO_MANY_REQUESTS,
          "Expected at most %d waits of a buyer at a time, but there are more"
              .formatted(Limits.POLLS_PER_BUYER_MAX),
          1);

  private final ProblemType type;
  private final String retryAfterS;
  private final JsonObject json;
  private final Buffer body;

  private Problem(ProblemType type, String retryAfterS, JsonObject json) {
    this.type = type;
    this.retryAfterS = retryAfterS;
    this.json = json;
    this.body = json.toBuffer();
  }

  public static Problem of(ProblemType type, String detail) {
    return retry(type, detail, 1);
  }

  /** A problem that may pass with time, with Retry-After: 503, 429 or 425. */
  public static Problem retry(ProblemType type, String detail, int retryAfterS) {
    return new Problem(
        type,
        String.valueOf(Math.max(1, retryAfterS)),
        new JsonObject()
            .put("type", PATH + type.word())
            .put("title", type.title())
            .put("status", type.status())
            .put("detail", detail));
  }

  /** A problem of one field, header or parameter of the request. */
  public static Problem of(ProblemType type, String field, String detail) {
    return of(type, detail).with("field", field);
  }

  /** The same problem with one more fact, such as the order that it is about. */
  public Problem with(String name, Object fact) {
    return new Problem(type, retryAfterS, json.copy().put(name, fact));
  }

  /** The problem of a request that cannot be decoded. */
  public static Problem ofMalformed(@Nullable Throwable cause) {
    if (cause instanceof BadInputException bad) {
      return bad.problem();
    }
    return cause instanceof TooLongFrameException ? HEADERS_TOO_LARGE : MALFORMED_REQUEST;
  }

  /**
   * The problem of a handler that failed. An unexpected failure is logged, and its reason is not
   * part of the answer.
   *
   * @param about says in the line that may be logged what it is about
   */
  public static Problem ofFailure(
      Throwable failure, String call, UnaryOperator<LoggingEventBuilder> about) {
    if (failure instanceof BadInputException bad) {
      return bad.problem();
    }
    // Timers that a request waits for are canceled when the instance stops.
    if (failure instanceof LedgerUnavailableException || failure instanceof CancellationException) {
      return PART_DOWN;
    }
    about
        .apply(log.atError().setCause(failure).addKeyValue("call", call))
        .log("request handler failed");
    return INTERNAL;
  }

  public ProblemType type() {
    return type;
  }

  /** One sentence for the caller. */
  public String detail() {
    return json.getString("detail");
  }

  /** The field, header or parameter that it is about; {@code body} if it is none alone. */
  String field() {
    return json.getString("field", "body");
  }

  /** Its JSON. */
  public Buffer json() {
    return body;
  }

  /** How long to wait before the request is repeated, in seconds; 0 if that does not help. */
  public int retryAfterS() {
    return type.retries() ? Integer.parseInt(retryAfterS) : 0;
  }

  /** The answer as bytes. */
  public ByteBuf http() {
    return http("");
  }

  /** The same, with which a connection ends. */
  public ByteBuf lastHttp() {
    return http("connection: close\r\n");
  }

  private ByteBuf http(String connection) {
    String head =
        "HTTP/1.1 %d %s\r\ncontent-type: %s\r\ncache-control: no-store\r\n%scontent-length: %d\r\n%s\r\n"
            .formatted(
                type.status(),
                HttpResponseStatus.valueOf(type.status()).reasonPhrase(),
                MEDIA_TYPE,
                type.retries() ? RETRY_AFTER + ": " + retryAfterS + "\r\n" : "",
                body.length(),
                connection);
    return Unpooled.wrappedBuffer(head.getBytes(US_ASCII), body.getBytes());
  }

  /** Answers a request with it; completes when it is written. */
  public Future<Void> send(HttpServerResponse response) {
    response.setStatusCode(type.status());
    response.headers().set(HttpHeaders.CONTENT_TYPE, MEDIA_TYPE);
    if (type.retries()) {
      response.headers().set(RETRY_AFTER, retryAfterS);
    }
    if (type == ProblemType.UNAUTHORIZED) {
      response.headers().set(WWW_AUTHENTICATE, BEARER);
    }
    return response.end(body);
  }

  /**
   * A request is invalid, as far as it was read; with the answer, which names the field. Has no
   * stack trace, because it is the caller's error.
   */
  public static final class BadInputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    public BadInputException(Problem problem) {
      super(problem.detail(), null, false, false);
      this.problem = problem;
    }

    /**
     * @param field the field, header or parameter; {@code body} for the body as a whole
     * @param detail "Expected ..., but ..."
     */
    public BadInputException(String field, String detail) {
      this(Problem.of(ProblemType.BAD_REQUEST, field, detail));
    }

    public String field() {
      return problem.field();
    }

    /** The answer. */
    public Problem problem() {
      return problem;
    }
  }
}
