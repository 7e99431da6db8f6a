package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.web.HttpProbe;
import io.sluice.web.HttpProbe.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The endpoints about existing orders: every row of the API's table. */
class OrderApiTest {
  private static final String ORDER = "/v1/orders/" + FakeOrders.TOKEN;
  private static final String[] ALICE = {"X-User-Id", "alice"};
  private static final String[] OFFICE = {"Authorization", "Bearer " + PublicPortFixture.TOKEN};

  @RegisterExtension
  static final PublicPortFixture fixture =
      PublicPortFixture.serving(PublicPortFixture.TOKEN_BACK_OFFICE);

  private final HttpProbe probe = fixture.probe;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "1001",
        "1001.0",
        "1001.0.short",
        "1001.256.AAAAAAAAAAAAAAAAAAAAAA",
        "1001.-1.AAAAAAAAAAAAAAAAAAAAAA",
        "0.0.AAAAAAAAAAAAAAAAAAAAAA",
        "9223372036854775808.0.AAAAAAAAAAAAAAAAAAAAAA",
        "1001.0.AAAAAAAAAAAAAAAAAAAAA%2F",
        "1001.0.AAAAAAAAAAAAAAAAAAAAAAA",
        "1001.00.AAAAAAAAAAAAAAAAAAAAAA",
      })
  void shouldAnswer404WithoutAskingWhenNoTokenCanBeSpelledSo(String token) {
    // when
    Stream<Answer> answers =
        Stream.of(
            probe.get("/v1/orders/" + token, ALICE),
            probe.post("/v1/orders/" + token + "/cancel", ALICE),
            probe.post("/v1/orders/" + token + "/confirm", OFFICE),
            probe.post("/v1/orders/" + token + "/refund", OFFICE));

    // then
    assertThat(answers)
        .allSatisfy(
            answer -> {
              assertThat(answer.problem()).isEqualTo("unknown-order");
            });
    assertThat(fixture.orders.asked).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"0,find", "1,wait 1", "30,wait 30"})
  void shouldWaitAsLongAsAskedWhenInRange(String wait, String asked) {
    // when
    Answer answer = probe.get(ORDER + "?wait=" + wait, ALICE);

    // then
    assertThat(answer.status()).isEqualTo(200);
    assertThat(fixture.orders.asked).containsExactly(asked + " " + FakeOrders.TOKEN + " alice");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "31", "1.5", "x", "99999999999999999999", "1&wait=2", "+1"})
  void shouldAnswer400WhenTheWaitIsWrong(String wait) throws Exception {
    // when: no HTTP client would send some of these
    String answer =
        probe.raw(
            "GET "
                + ORDER
                + "?wait="
                + wait
                + " HTTP/1.1\r\nHost: x\r\nX-User-Id: alice\r\nConnection: close\r\n\r\n");

    // then
    assertThat(answer)
        .startsWith("HTTP/1.1 400 ")
        .contains("application/problem+json")
        .contains("\"field\":\"wait\"");
    assertThat(fixture.orders.asked).isEmpty();
  }

  @Test
  void shouldIgnoreContentTypeWhenTheCallDocumentsNoBody() {
    // when
    Answer command =
        probe.send(
            "POST",
            ORDER + "/cancel",
            BodyPublishers.noBody(),
            "X-User-Id",
            "alice",
            "Content-Type",
            "text/plain");
    Answer withEmptyObject = probe.json("POST", ORDER + "/cancel", " {}", ALICE);

    // then
    assertThat(command.status()).isEqualTo(200);
    assertThat(withEmptyObject.status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"qty=1", "[]", "1", "{", "{}{}"})
  void shouldRefuseAnythingInTheBodyWhenTheCallDocumentsNone(String body) {
    // when
    Answer small = probe.send("POST", ORDER + "/cancel", BodyPublishers.ofString(body), ALICE);
    Answer large =
        probe.send("POST", ORDER + "/cancel", BodyPublishers.ofString(body.repeat(50_000)), ALICE);
    Answer next = probe.get(ORDER, ALICE);

    // then
    assertThat(small.status()).isEqualTo(400);
    assertThat(small.field()).isEqualTo("body");
    assertThat(large.status()).isEqualTo(400);
    assertThat(large.field()).isEqualTo("body");
    assertThat(next.status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "POST,/v1/orders/t,'GET, HEAD, OPTIONS'",
    "DELETE,/v1/orders/t,'GET, HEAD, OPTIONS'",
    "GET,/v1/orders/t/cancel,'POST, OPTIONS'",
    "GET,/v1/orders/t/confirm,'POST, OPTIONS'",
    "PUT,/v1/orders/t/refund,'POST, OPTIONS'",
    "POST,/v1/skus/1,'GET, HEAD, OPTIONS'",
    "GET,/v1/orders/t/refunds,'POST, OPTIONS'",
    "PUT,/v1/orders,'POST, GET, HEAD, OPTIONS'",
    "GET,/v1/orders/commands,'POST, OPTIONS'",
    "DELETE,/v1/orders,'POST, GET, HEAD, OPTIONS'",
    "PATCH,/v1/orders,'POST, GET, HEAD, OPTIONS'",
    "BREW,/v1/orders,'POST, GET, HEAD, OPTIONS'",
  })
  void shouldAnswer405WithAllowWhenTheMethodIsAnother(String method, String path, String allow) {
    // when: the caller is not identified either, but 404 and 405 come first
    Answer answer = probe.send(method, path, BodyPublishers.noBody());

    // then
    assertThat(answer.problem()).isEqualTo("method-not-allowed");
    assertThat(answer.header("allow")).isEqualTo(allow);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/v1",
        "/v1/orders/t/pay",
        "/v1/orders/t/refunds/r1/steal",
        "/v1/orders/t/cancel/x",
        "/v2/orders",
        "/admin"
      })
  void shouldAnswer404WhenThereIsNoSuchPath(String path) {
    // when: the caller is not identified either, but this comes first
    Answer answer = probe.get(path);

    // then
    assertThat(answer.problem()).isEqualTo("not-found");
  }
}
