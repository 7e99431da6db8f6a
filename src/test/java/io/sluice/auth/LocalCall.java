package io.sluice.auth;

import io.sluice.web.HttpProbe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.stream.Stream;

/**
 * A call from the loopback address, byte by byte as a program, a browser or a proxy of this machine
 * may make it.
 *
 * @param name of the row
 * @param version of HTTP
 * @param server in front of the path
 * @param host empty for none
 * @param more headers, each with its line's end
 */
public record LocalCall(String name, String version, String server, String host, String more) {
  private static final String CLOSE = "Connection: close\r\n";

  /** What programs of this machine send on their own behalf. */
  public static Stream<LocalCall> own() {
    return Stream.of(
        headers("nothing else", ""),
        host("localhost"),
        host("LOCALHOST:8080"),
        host("127.0.0.1:8080"),
        host("127.3.2.1"),
        host("[::1]:8080"),
        headers("Origin", "Origin: http://localhost:3000\r\n"),
        headers("Origin by address", "Origin: https://127.0.0.1\r\n"),
        headers("Origin by IPv6", "Origin: http://[::1]:8080\r\n"),
        headers("Sec-Fetch-Site of a page of ours", "Sec-Fetch-Site: same-origin\r\n"),
        headers("Sec-Fetch-Site of the address bar", "Sec-Fetch-Site: none\r\n"),
        connection("Connection: Close"),
        connection("Connection: keep-alive, close"),
        connection("Connection: keep-alive\r\nConnection: close"),
        headers("a cookie and an agent", "Cookie: a=b\r\nUser-Agent: curl/8\r\nAccept: */*\r\n"));
  }

  /** What shows that somebody else stands behind the call. */
  public static Stream<LocalCall> foreign() {
    return Stream.of(
            Stream.of(
                    "Forwarded: for=192.0.2.1",
                    "forwarded: for=127.0.0.1",
                    "X-Forwarded-For: 192.0.2.1",
                    "X-Forwarded-For: 127.0.0.1",
                    "X-Forwarded-For: ",
                    "x-forwarded-host: shop.example",
                    "X-Forwarded-Proto: https",
                    "X-Forwarded-Port: 443",
                    "X-Forwarded-Server: edge",
                    "X-Forwarded-Whatever: 1",
                    "X-Forwarded: for=192.0.2.1",
                    "X-Real-IP: 192.0.2.1",
                    "x-real-ip: 127.0.0.1",
                    "Via: 1.1 edge",
                    "via: ",
                    "Authorization: Bearer nonsense",
                    "Authorization: Basic YTpi",
                    "X-User-Id: alice",
                    "X-User-Id: ",
                    "Origin: https://evil.example",
                    "Origin: http://localhost.evil.example",
                    "Origin: null",
                    "Origin: http://localhost\r\nOrigin: https://evil.example",
                    "Sec-Fetch-Site: cross-site",
                    "Sec-Fetch-Site: same-site",
                    "Sec-Fetch-Site: ",
                    "Sec-Fetch-Site: none\r\nSec-Fetch-Site: cross-site")
                .map(header -> headers(header.replaceAll("\\R", " and "), header + "\r\n")),
            Stream.of(
                    "shop.example",
                    "shop.example:8080",
                    "localhost.shop.example",
                    "127.0.0.1.shop.example",
                    "10.0.0.1",
                    "0.0.0.0:8080",
                    "[::2]:8080")
                .map(LocalCall::host),
            Stream.of(
                connection("Connection: close, X-Forwarded-For"),
                connection("Connection: close, X-User-Id"),
                connection("Connection: upgrade, close"),
                connection("Connection: close\r\nConnection: Via"),
                new LocalCall("HTTP/1.0", "HTTP/1.0", "", "localhost", CLOSE),
                new LocalCall("HTTP/1.0 without a Host", "HTTP/1.0", "", "", CLOSE),
                new LocalCall(
                    "a whole URI", "HTTP/1.1", "http://shop.example", "localhost", CLOSE)))
        .flatMap(rows -> rows);
  }

  private static LocalCall headers(String name, String more) {
    return new LocalCall(name, "HTTP/1.1", "", "localhost:8080", CLOSE + more);
  }

  private static LocalCall host(String host) {
    return new LocalCall("Host: " + host, "HTTP/1.1", "", host, CLOSE);
  }

  private static LocalCall connection(String lines) {
    return new LocalCall(
        lines.replaceAll("\\R", " and "), "HTTP/1.1", "", "localhost:8080", lines + "\r\n");
  }

  /** The answer, status line and all. */
  public String send(HttpProbe probe, String method, String path) {
    String hostLine = host.isEmpty() ? "" : "Host: " + host + "\r\n";
    try {
      return probe.rawAnswer(
          "%s %s%s %s\r\n%s%sContent-Length: 0\r\n\r\n"
              .formatted(method, server, path, version, hostLine, more));
    } catch (IOException e) {
      throw new UncheckedIOException(name, e);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
