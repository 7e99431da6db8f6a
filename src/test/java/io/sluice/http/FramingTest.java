package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests whose length or version another server on the way could read differently. */
class FramingTest {
  private static final String HEAD =
      "Host: x\r\nX-User-Id: alice\r\nContent-Type: application/json\r\n";
  private static final String CHUNKED_BODY = "17\r\n{\"sku_id\":1001,\"qty\":1}\r\n0\r\n\r\n";

  @RegisterExtension
  static final PublicPortFixture fixture =
      PublicPortFixture.serving(PublicPortFixture.LOCAL_BACK_OFFICE);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Transfer-Encoding: chunked\\r\\nContent-Length: 5",
        "Content-Length: 33\\r\\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked, identity",
        "Transfer-Encoding: identity, chunked",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: identity",
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding: chunkedx",
        "Transfer-Encoding: \"chunked\"",
        "Transfer-Encoding: chunked\\r\\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\\r\\nTransfer-Encoding: identity",
        "Transfer-Encoding:",
        "Transfer-Encoding : chunked",
        "Content-Length: 23\\r\\nContent-Length: 24",
        "Content-Length: 23, 24",
        "Content-Length: +23",
        "Content-Length: -1",
        "Content-Length: 0x17",
        "Content-Length: 1x",
        "Content-Length: 99999999999999999999",
      })
  void shouldAnswer400AndCloseWhenTheLengthIsAmbiguous(String headers) throws IOException {
    // when
    String answer =
        fixture.probe.raw(
            "POST /v1/orders HTTP/1.1\r\n"
                + HEAD
                + headers.replace("\\r\\n", "\r\n")
                + "\r\n\r\n"
                + CHUNKED_BODY);

    // then
    assertThat(answer).containsPattern("^HTTP/1\\.[01] 400 ").contains("/problems/bad-request");
    assertThat(answer).contains("connection: close").doesNotContain("}HTTP/1.");
    assertThat(fixture.orders.asked).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "zz\\r\\n",
        "-1\\r\\n",
        "17;\u0001\\r\\n",
        "17\\r\\n{\"sku_id\":1001,\"qty\":1}xx0\\r\\n\\r\\n",
        "ffffffffff\\r\\n",
      })
  void shouldAnswer400AndCloseWhenAChunkIsMalformed(String body) throws IOException {
    // when
    String answer =
        fixture.probe.raw(
            "POST /v1/orders HTTP/1.1\r\n"
                + HEAD
                + "Transfer-Encoding: chunked\r\n\r\n"
                + body.replace("\\r\\n", "\r\n"));

    // then
    assertThat(answer).startsWith("HTTP/1.1 400 ").contains("/problems/bad-request");
    assertThat(fixture.orders.asked).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "GET / HTTP/1.2,505,http-version",
    "GET / HTTP/2.0,505,http-version",
    "GET / HTTP/0.9,505,http-version",
    "PRI * HTTP/2.0,505,http-version",
    "GET / HTTP/11,400,bad-request",
    "GET / <script>,400,bad-request",
    "GET /,400,bad-request",
    "GARBAGE,400,bad-request",
    "GET / XHTTP/1.1,400,bad-request",
  })
  void shouldEchoNothingWhenTheVersionIsAnother(String line, int status, String problem)
      throws IOException {
    // when
    String answer = fixture.probe.raw(line + "\r\nHost: x\r\n\r\n");

    // then
    assertThat(answer)
        .containsPattern("^HTTP/1\\.[01] " + status + " [A-Za-z ]+\r\n")
        .contains("/problems/" + problem)
        .doesNotContain("script");
  }

  /** A buyer with that many cookies was answered 431. */
  @Test
  void shouldTakeNineKilobytesOfCookies() throws IOException {
    // when
    String answer =
        fixture.probe.raw(
            "GET /v1/skus/1001 HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: a="
                + "y".repeat(9_000)
                + "\r\n\r\n");

    // then
    assertThat(answer).startsWith("HTTP/1.1 404 ").contains("/problems/unknown-sku");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Host: a\r\nHost: a\r\n",
        "Host: a b\r\n",
        "Host: a,b\u00e9\r\n",
        "Host: http://a\r\n",
        "Host: a/b\r\n",
        "Host: a@b\r\n",
        "Host: a:b\r\n",
        "Host: a:1:2\r\n",
        "Host: [::1\r\n"
      })
  void shouldAnswer400WhenTheHostIsMissingDoubledOrInvalid(String host) throws IOException {
    // when
    String answer = fixture.probe.raw("GET /v1/skus/1001 HTTP/1.1\r\n" + host + "\r\n");

    // then
    assertThat(answer)
        .startsWith("HTTP/1.1 400 ")
        .contains("connection: close")
        .contains("\"field\":\"Host\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1|x",
        "HTTP/1.1|x.example:80",
        "HTTP/1.1|[::1]:80",
        "HTTP/1.1|",
        "HTTP/1.0|-"
      })
  void shouldTakeAHostOfEachForm(String versionAndHost) throws IOException {
    // given
    String version = versionAndHost.substring(0, 8);
    String host = versionAndHost.substring(9);

    // when
    String answer =
        fixture.probe.raw(
            "GET /v1/skus/1001 "
                + version
                + "\r\n"
                + (host.equals("-") ? "" : "Host: " + host + "\r\n")
                + "Connection: close\r\n\r\n");

    // then
    assertThat(answer).contains(" 404 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET  /v1/skus/1001 HTTP/1.1",
        "GET /v1/skus/1001  HTTP/1.1",
        "GET\t/v1/skus/1001 HTTP/1.1",
        "GET /v1/skus/1001\tHTTP/1.1",
        "GET /v1/skus/1001\u000bHTTP/1.1",
        " GET /v1/skus/1001 HTTP/1.1",
        "GET /v1/skus/1001 HTTP/1.1 ",
        "GET /v1/skus/1001 x HTTP/1.1",
        "GET /v1/skus/1001\r HTTP/1.1"
      })
  void shouldAnswer400WhenTheRequestLineHasOtherBlanks(String line) throws IOException {
    // when
    String whole = fixture.probe.raw(line + "\r\nHost: x\r\nConnection: close\r\n\r\n");

    // then
    assertThat(whole).containsPattern("^HTTP/1\\.[01] 400 ").contains("connection: close");
  }

  @ParameterizedTest
  @CsvSource({"4200,10", "10,17000"})
  void shouldAnswer431WhenTheHeadIsTooLarge(int path, int header) throws IOException {
    // when
    String answer =
        fixture.probe.raw(
            "GET /"
                + "x".repeat(path)
                + " HTTP/1.1\r\nX-Large: "
                + "y".repeat(header)
                + "\r\n\r\n");

    // then
    assertThat(answer)
        .containsPattern("^HTTP/1\\.[01] 431 ")
        .contains("connection: close")
        .contains("/problems/headers-too-large");
  }

  @ParameterizedTest
  @CsvSource({
    "HEAD,/v1/skus/1001,404,",
    "OPTIONS,/v1/orders,204,'POST, GET, HEAD, OPTIONS'",
    "OPTIONS,/v1/skus/1001,204,'GET, HEAD, OPTIONS'",
    "TRACE,/v1/orders,405,'POST, GET, HEAD, OPTIONS'",
    "HEAD,/v1/orders/commands,405,'POST, OPTIONS'",
  })
  void shouldAnswerOtherMethodsAsHttpSays(String method, String path, int status, String allow)
      throws IOException {
    // when
    String answer =
        fixture.probe.raw(
            method + " " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

    // then
    assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
    if (allow != null) {
      assertThat(answer).containsIgnoringCase("allow: " + allow + "\r\n");
    }
    if (method.equals("HEAD") || status == 204) {
      assertThat(answer).endsWith("\r\n\r\n");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/orders/1001.0.AAAAAAAAAAAAAAAAAAAAAA?wait=%zz",
    "/v1/orders/1001.0.AAAAAAAAAAAAAAAAAAAAAA?wait=%",
    "/v1/orders/1001.0.AAAAAAAAAAAAAAAAAAAAAA?wait=%f",
    "/v1/orders/1001.0.AAAAAAAAAAAAAAAAAAAAAA?%zz=1",
    "/v1/orders/%zz",
    "/v1/skus/%",
  })
  void shouldAnswer400WhenTheTargetCannotBeDecoded(String target) throws IOException {
    // when
    String answer =
        fixture.probe.raw(
            "GET "
                + target
                + " HTTP/1.1\r\nHost: x\r\nX-User-Id: alice\r\nConnection: close\r\n\r\n");

    // then
    assertThat(answer).startsWith("HTTP/1.1 400 ").contains("/problems/bad-request");
  }
}
