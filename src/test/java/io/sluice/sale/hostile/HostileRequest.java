package io.sluice.sale.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * One request, byte by byte.
 *
 * @param port that it is sent to
 */
record HostileRequest(int port, byte[] bytes, Due due) {
  static final String LOCAL = "Host: localhost\r\n";
  static final String JSON = "Content-Type: application/json\r\n";
  static final String CLOSE = "Connection: close\r\n";

  /** A well-formed request, if its parts are; each character of them is a byte. */
  static byte[] bytes(String method, String target, String headers, String body) {
    String length = body.isEmpty() ? "" : "Content-Length: " + body.length() + "\r\n";
    return bytes(head(method, target, "HTTP/1.1", headers + CLOSE + length) + body);
  }

  static String head(String method, String target, String version, String headers) {
    return method + " " + target + " " + version + "\r\n" + headers + "\r\n";
  }

  static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  /** A text whose characters are the bytes of this one. */
  static String utf8(String text) {
    return new String(text.getBytes(UTF_8), ISO_8859_1);
  }

  @Override
  public String toString() {
    return new String(bytes, ISO_8859_1);
  }
}
