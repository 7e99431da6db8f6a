package io.sluice.web.problem;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.model.Limits;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

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

  private static final JsonObject NOTHING = new JsonObject();

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
  private final String detail;
  private final @Nullable String retryAfterS;
  private final Buffer body;

  private Problem(ProblemType type, String detail, @Nullable String field, int retryAfterS) {
    this(type, detail, field, retryAfterS, NOTHING);
  }

  private Problem(
      ProblemType type, String detail, @Nullable String field, int retryAfterS, JsonObject more) {
    this.type = type;
    this.detail = detail;
    this.retryAfterS = type.retries() ? String.valueOf(Math.max(1, retryAfterS)) : null;
    JsonObject json =
        new JsonObject()
            .put("type", "/problems/" + type.word())
            .put("title", type.title())
            .put("status", type.status())
            .put("detail", detail);
    if (field != null) {
      json.put("field", field);
    }
    this.body = json.mergeIn(more).toBuffer();
  }

  public static Problem of(ProblemType type, String detail) {
    return new Problem(type, detail, null, 1);
  }

  /** A problem that may pass with time, with Retry-After: 503 or 429. */
  public static Problem retry(ProblemType type, String detail, int retryAfterS) {
    return new Problem(type, detail, null, retryAfterS);
  }

  /** A problem of one field, header or parameter of the request. */
  public static Problem of(ProblemType type, String field, String detail) {
    return new Problem(type, detail, field, 1);
  }

  /** The same problem, of one SKU of the request. */
  public Problem ofSku(long skuId) {
    int retryS = retryAfterS == null ? 1 : Integer.parseInt(retryAfterS);
    return new Problem(type, detail, null, retryS, new JsonObject().put("sku_id", skuId));
  }

  /** The same problem, with the order that it is about. */
  public Problem withOrder(JsonObject order) {
    return new Problem(type, detail, null, 1, new JsonObject().put("order", order));
  }

  /**
   * A problem of the SKUs in a request.
   *
   * @param field of the first of them
   * @param skus the fault of each
   */
  public static Problem ofSkus(ProblemType type, String field, String detail, JsonArray skus) {
    return new Problem(type, detail, field, 1, new JsonObject().put("skus", skus));
  }

  public ProblemType type() {
    return type;
  }

  /** One sentence for the caller. */
  public String detail() {
    return detail;
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
                retryAfterS == null ? "" : RETRY_AFTER + ": " + retryAfterS + "\r\n",
                body.length(),
                connection);
    return Unpooled.wrappedBuffer(head.getBytes(US_ASCII), body.getBytes());
  }

  /** Answers a request with it; completes when it is written. */
  public Future<Void> send(HttpServerResponse response) {
    response.setStatusCode(type.status());
    response.headers().set(HttpHeaders.CONTENT_TYPE, MEDIA_TYPE);
    if (retryAfterS != null) {
      response.headers().set(RETRY_AFTER, retryAfterS);
    }
    if (type == ProblemType.UNAUTHORIZED) {
      response.headers().set(WWW_AUTHENTICATE, BEARER);
    }
    return response.end(body);
  }
}
