package io.sluice.sale.hostile;

import static io.sluice.sale.hostile.HostileRequest.CLOSE;
import static io.sluice.sale.hostile.HostileRequest.LOCAL;
import static io.sluice.sale.hostile.HostileRequest.bytes;
import static io.sluice.sale.hostile.HostileRequest.head;
import static io.sluice.sale.hostile.HostileRequest.utf8;

import io.sluice.sale.hostile.Victim.Ask;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Calls of the back office and of operators by somebody who comes from elsewhere: through a proxy,
 * by another site's page, or under another name of this machine. Each carries at least one mark of
 * that, as docs/security.md lists them, and pretends to be local in all else. None carries a token.
 */
final class ForeignCalls {
  private static final List<String> HOSTS =
      Stream.of(
              "evil.example",
              "evil.example:8080",
              "127.0.0.1.evil.example",
              "localhost.evil.example:80",
              "evil.example@localhost",
              "localhost@evil.example",
              "user:password@localhost",
              "localhost.",
              "localhost.:8080",
              "127.0.0.1.",
              "127.0.0.1%evil.example",
              "[::1%25evil.example]",
              "[::1]evil.example",
              "localhost:80:80",
              "localhost:evil",
              "localhost, evil.example",
              "localhost evil.example",
              "localhost/evil",
              "http://localhost",
              "0.0.0.0",
              "[::]",
              "10.0.0.1",
              "127.1",
              "0177.0.0.1",
              "0x7f000001",
              "2130706433",
              "l\u043ecalhost",
              "\uff4cocalhost",
              "localhost\u00a0",
              "127\u30020\u30020\u30021",
              "\u2460\u2461\u2466.0.0.1",
              "",
              "localhost\r\nHost: evil.example",
              "evil.example\r\nHost: localhost")
          .map(host -> "Host: " + utf8(host) + "\r\n")
          .toList();

  /** Each makes a call foreign, whatever its Host is. */
  private static final List<String> MARKS =
      Stream.of(
              "Origin: null",
              "Origin: ",
              "Origin: http://evil.example",
              "Origin: http://localhost.evil.example",
              "Origin: http://localhost@evil.example",
              "Origin: http://127.0.0.1%evil.example",
              "Origin: http://localhost/evil",
              "Origin: http://localhost http://evil.example",
              "Origin: http://localhost\r\nOrigin: http://evil.example",
              "Origin: file://localhost",
              "Origin: moz-extension://localhost",
              "Origin: http://l\u043ecalhost",
              "Sec-Fetch-Site: cross-site",
              "Sec-Fetch-Site: same-site",
              "Sec-Fetch-Site: Same-Origin",
              "Sec-Fetch-Site: none, cross-site",
              "Sec-Fetch-Site: none\r\nSec-Fetch-Site: cross-site",
              "Sec-Fetch-Site: ",
              "X-Forwarded-For: 127.0.0.1",
              "X-Forwarded-For: ",
              "x-FORWARDED-host: localhost",
              "X-Forwarded-Proto: https",
              "X-Forwarded-Prefix: /admin",
              "X-Forwarded: for=127.0.0.1",
              "Forwarded: for=127.0.0.1;host=localhost;by=_hidden",
              "Forwarded: ",
              "Via: 1.1 localhost",
              "X-Real-IP: 127.0.0.1",
              "X-User-Id: admin",
              "X-User-Id: ",
              "Authorization: Basic YWRtaW46YWRtaW4=",
              "Connection: X-Forwarded-For",
              "Connection: keep-alive, Origin",
              "Connection: upgrade\r\nUpgrade: websocket")
          .map(mark -> utf8(mark) + "\r\n")
          .toList();

  /** What makes no call foreign, and must make none local either. */
  private static final List<String> NOISE =
      Stream.of(
              "X-Original-URL: /livez",
              "X-Rewrite-URL: /livez",
              "X-Host: localhost",
              "X-HTTP-Method-Override: GET",
              "True-Client-IP: 127.0.0.1",
              "Client-IP: 127.0.0.1",
              "X-Client-IP: 127.0.0.1",
              "X-Originating-IP: 127.0.0.1",
              "Origin: http://localhost:8080",
              "Sec-Fetch-Site: same-origin",
              "Referer: http://localhost/",
              "Cookie: admin=true")
          .map(header -> header + "\r\n")
          .toList();

  /** In front of the path; its host counts, whatever Host is. */
  private static final List<String> SERVERS =
      List.of(
          "http://evil.example",
          "http://evil.example:8080",
          "http://localhost@evil.example",
          "HTTPS://evil.example",
          "http://localhost",
          "http://[::1]:80",
          "//evil.example",
          "http://");

  private final List<Target> targets;
  private final List<Ask> asks;
  private final Dice random;
  private final List<BiFunction<Ask, String, String>> kinds =
      List.of(this::host, this::mark, this::server, this::version);

  ForeignCalls(List<Target> targets, Victim victim, Dice random) {
    this.targets = targets;
    this.asks = victim.asks();
    this.random = random;
  }

  HostileRequest next() {
    Target target = random.any(targets);
    Ask ask = random.any(asks);
    String noise =
        Stream.generate(() -> random.any(NOISE))
            .limit(random.nextInt(3))
            .collect(Collectors.joining());
    // Where tokens are set, a call without any is a stranger's, however local it looks.
    String request =
        target.hasTokens() && random.nextInt(5) == 0
            ? request(ask, "", "HTTP/1.1", LOCAL + noise)
            : random.any(kinds).apply(ask, noise);
    int port = ask.atDesk() ? target.adminPort() : target.publicPort();
    return new HostileRequest(port, bytes(request), Due.STRANGER);
  }

  private String host(Ask ask, String noise) {
    return request(ask, "", "HTTP/1.1", random.any(HOSTS) + noise);
  }

  private String mark(Ask ask, String noise) {
    return request(ask, "", "HTTP/1.1", LOCAL + noise + random.any(MARKS));
  }

  private String server(Ask ask, String noise) {
    return request(ask, random.any(SERVERS), "HTTP/1.1", LOCAL + noise);
  }

  /** As a proxy speaks to what is behind it. */
  private String version(Ask ask, String noise) {
    return request(ask, "", "HTTP/1.0", (random.nextBoolean() ? LOCAL : "") + noise);
  }

  private static String request(Ask ask, String server, String version, String headers) {
    String length = ask.body().isEmpty() ? "" : "Content-Length: " + ask.body().length() + "\r\n";
    return head(
            ask.method(), server + ask.target(), version, headers + ask.headers() + CLOSE + length)
        + ask.body();
  }
}
