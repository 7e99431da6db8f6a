package io.sluice.sale.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.charset.Charset;
import java.util.List;
import java.util.function.Supplier;

/** Requests that no honest client sends. */
final class HostileRequests {
  private static final String CLOSE = "Connection: close\r\n";
  private static final String JSON = "Content-Type: application/json\r\n";
  private static final List<String> TARGETS =
      List.of(
          "/v1/skus/%zz",
          "/v1/skus/0x10",
          "/v1/skus/-1",
          "/v1/skus/99999999999999999999",
          "/v1/orders/..%2f..%2fadmin",
          "/v1/orders/%00",
          "/v1/orders/a?wait=%",
          "//v1//orders",
          "/v1/orders/1.0.AAAAAAAAAAAAAAAAAAAAAA?wait=-1",
          "/v1/orders?x[]=1&x[]=2",
          "*",
          "http://evil.example/v1/orders",
          "http://[::/",
          "evil.example:443",
          "/admin/skus",
          "/admin/skus?limit=%zz",
          "/admin/skus/1?%",
          "/v1/orders/\u00e9",
          "/;/..;/admin",
          "/?#",
          "/v1/orders/1.0.AAAAAAAAAAAAAAAAAAAAAA/confirm",
          "/v1/orders/commands",
          "/metrics",
          "/readyz?%zz");
  private static final List<String> METHODS =
      List.of(
          "GET",
          "POST",
          "HEAD",
          "OPTIONS",
          "PUT",
          "PATCH",
          "DELETE",
          "TRACE",
          "CONNECT",
          "get",
          "PROPFIND",
          "G\u0000T",
          "\u00ff",
          "POST POST");
  private static final List<String> FRAMINGS =
      List.of(
          "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "Transfer-Encoding: xchunked\r\n",
          "Transfer-Encoding: chunked, identity\r\n", "Transfer-Encoding: gzip, chunked\r\n",
          "Transfer-Encoding:\tchunked\r\nTransfer-Encoding: x\r\n", "Content-Length: +5\r\n",
          "Content-Length: 5\r\nContent-Length: 6\r\n", "Content-Length: 5, 5\r\n",
          "Transfer-Encoding : chunked\r\n", " Transfer-Encoding: chunked\r\n",
          "Content-Length: 99999999999999999999\r\n", "Content_Length: 5\r\n");
  private static final List<String> HEADERS =
      List.of(
          "Host: evil.example\r\nHost: other.example\r\n",
          "X-User-Id: a\r\nX-User-Id: b\r\n",
          "X-User-Id: \u0001\r\n",
          "X-User-Id: " + "u".repeat(300) + "\r\n",
          "Cookie: ;;;=\r\n",
          "X-Forwarded-For: 127.0.0.1\r\n",
          "Forwarded: for=_x\r\n",
          "Origin: null\r\n",
          "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\n",
          "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABk\r\n",
          "Expect: 100-continue\r\n",
          "Expect: the-unexpected\r\n",
          "Authorization: Bearer\r\n",
          "Authorization: Bearer a.b.c\r\n",
          "Authorization: Basic !!\r\n",
          "Range: bytes=0-\r\n",
          "Idempotency-Key: \u00e9\r\n",
          "Idempotency-Key: " + "k".repeat(500) + "\r\n",
          "Content-Encoding: gzip\r\n",
          "Accept-Encoding: gzip, \u0000\r\n",
          "X: a\r\n b\r\n");
  private static final List<String> VERSIONS =
      List.of(
          "HTTP/1.0", "HTTP/1.2", "HTTP/2.0", "HTTP/9.9", "http/1.1", "HTTP/1.1 x", "", "\u0000");
  private static final List<Charset> CHARSETS =
      List.of(UTF_16, Charset.forName("UTF-32"), Charset.forName("UTF-16LE"), ISO_8859_1);

  private final Dice random;
  private final List<Supplier<byte[]>> kinds =
      List.of(
          this::target,
          this::framing,
          this::header,
          this::version,
          this::json,
          this::name,
          this::flipped,
          this::pipelined,
          this::chunks,
          this::headers,
          this::noise,
          this::encoded);

  HostileRequests(Dice random) {
    this.random = random;
  }

  byte[] next() {
    return kinds.get(random.nextInt(kinds.size())).get();
  }

  /** A request that never ends. */
  byte[] unfinished() {
    byte[] whole = bytes(order("{\"sku_id\":1,\"qty\":1}"));
    byte[] part = new byte[1 + random.nextInt(whole.length - 2)];
    System.arraycopy(whole, 0, part, 0, part.length);
    return part;
  }

  private byte[] target() {
    return bytes(head(random.any(METHODS), random.any(TARGETS), "HTTP/1.1", CLOSE + JSON));
  }

  private byte[] framing() {
    return bytes(
        head("POST", "/v1/orders", "HTTP/1.1", random.any(FRAMINGS) + JSON) + "0\r\n\r\n12345");
  }

  private byte[] header() {
    return bytes(
        head(
            random.any(METHODS),
            "/v1/orders",
            "HTTP/1.1",
            random.any(HEADERS) + random.any(HEADERS) + CLOSE));
  }

  private byte[] version() {
    return bytes(head(random.any(METHODS), random.any(TARGETS), random.any(VERSIONS), CLOSE));
  }

  private byte[] json() {
    String deep = "[".repeat(random.nextInt(5_000));
    String digits = "9".repeat(1 + random.nextInt(5_000));
    return bytes(
        order(
            random.any(
                List.of(
                    deep,
                    "{\"sku_id\":" + digits + ",\"qty\":1}",
                    "{\"sku_id\":1,\"sku_id\":1}",
                    "{\"sku_id\":1e400,\"qty\":1}",
                    "{\"sku_id\":-0,\"qty\":1}",
                    "null",
                    "{}",
                    "\"",
                    "{\"sku_id\":1,\"qty\":1}}",
                    "{\"sku_id\":\"" + digits + "\"}",
                    "{\"a\":" + deep,
                    "\ufeff{\"sku_id\":1,\"qty\":1}",
                    "{'sku_id':1}",
                    "{\"sku_id\":1,\"qty\":1 /**/}",
                    "{\"\\u0000\":1}",
                    "{\"\\ud800\":1}",
                    "{\"sku_id\":NaN,\"qty\":1}"))));
  }

  /** A name of nearly 16 KB that has never been there before. */
  private byte[] name() {
    String name = Long.toHexString(random.nextLong());
    return bytes(order("{\"" + name.repeat(950) + "\":1}"));
  }

  private byte[] encoded() {
    byte[] body = "{\"sku_id\":1,\"qty\":1,\"\u00e9\":1}".getBytes(random.any(CHARSETS));
    String head = head("POST", "/v1/orders", "HTTP/1.1", JSON + CLOSE + length(body.length));
    return (head + new String(body, ISO_8859_1)).getBytes(ISO_8859_1);
  }

  /** A valid request with some bytes changed. */
  private byte[] flipped() {
    byte[] request = bytes(order("{\"sku_id\":1,\"qty\":1}"));
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      request[random.nextInt(request.length)] = (byte) random.nextInt(256);
    }
    return request;
  }

  private byte[] pipelined() {
    String first = head("GET", "/v1/skus/1", "HTTP/1.1", "");
    return bytes(first.repeat(1 + random.nextInt(20)) + "GET /\r\n\r\n");
  }

  private byte[] chunks() {
    String size = random.any(List.of("5", "zz", "-5", "5;x=\"", "5\n", "fffffffff", "0005", "5 "));
    String extra = "Transfer-Encoding: chunked\r\n" + JSON + CLOSE;
    return bytes(
        head("POST", "/v1/orders", "HTTP/1.1", extra) + size + "\r\n{\"a\":\r\n0\r\nX: y\r\n\r\n");
  }

  private byte[] headers() {
    int count = random.nextInt(2_000);
    return bytes(head("GET", "/v1/skus/1", "HTTP/1.1", "X-Filler: y\r\n".repeat(count) + CLOSE));
  }

  private byte[] noise() {
    byte[] noise = new byte[10 + random.nextInt(500)];
    random.nextBytes(noise);
    byte[] end = "\r\n\r\n".getBytes(ISO_8859_1);
    System.arraycopy(end, 0, noise, noise.length - end.length, end.length);
    return noise;
  }

  private static String order(String body) {
    int length = body.getBytes(UTF_8).length;
    return head(
            "POST", "/v1/orders", "HTTP/1.1", "X-User-Id: eve\r\n" + JSON + CLOSE + length(length))
        + body;
  }

  /** With a foreign host: no such call is the back office's. */
  private static String head(String method, String target, String version, String headers) {
    return method + " " + target + " " + version + "\r\nHost: evil.example\r\n" + headers + "\r\n";
  }

  private static String length(int bytes) {
    return "Content-Length: " + bytes + "\r\n";
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
