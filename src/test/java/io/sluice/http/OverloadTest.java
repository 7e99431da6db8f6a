package io.sluice.http;

import static io.sluice.web.HttpProbe.await;
import static io.sluice.web.HttpProbe.eventually;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.order.OrderAnswer;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Promise;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Orders that are refused before they become requests of the HTTP server. */
class OverloadTest {
  private static final String HEAD =
      "Host: x\r\nX-User-Id: alice\r\nContent-Type: application/json\r\n";
  private static final String BODY =
      "Content-Length: %d\r\n\r\n%s"
          .formatted(PublicPortFixture.BODY.length(), PublicPortFixture.BODY);
  private static final String ORDER = "POST /v1/orders HTTP/1.1\r\n" + HEAD;

  private static final String LOOK_UP =
      "GET /v1/orders/%s HTTP/1.1\r\n%s\r\n".formatted(FakeOrders.TOKEN, HEAD);

  /** Is served in any case, and ends the connection. */
  private static final String LAST = ORDER + "Connection: close\r\n" + BODY;

  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3}) ");

  @RegisterExtension
  static final PublicPortFixture fixture =
      PublicPortFixture.serving(PublicPortFixture.LOCAL_BACK_OFFICE);

  @Test
  void shouldRefuseAnOrderWhenThereIsNoRoom() {
    // given
    double refused = refused();
    fixture.orders.full = true;

    // when
    Answer answer = fixture.place();

    // then
    assertThat(answer.problem()).isEqualTo("busy");
    assertThat(answer.header("retry-after")).isEqualTo("1");
    assertThat(answer.header("content-type")).isEqualTo("application/problem+json");
    assertThat(fixture.orders.asked).isEmpty();
    assertThat(refused() - refused).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
      })
  void shouldKeepTheConnectionWhenAnOrderIsRefused(String body) throws IOException {
    // given
    fixture.orders.full = true;

    // when
    String answers = fixture.probe.raw(ORDER + BODY + ORDER + body + LAST);

    // then
    assertThat(statuses(answers)).containsExactly("503", "503", "201");
    assertThat(fixture.orders.asked).hasSize(1);
  }

  @Test
  void shouldRefuseWhenTheRequestBeforeWasServed() throws IOException {
    // given
    fixture.orders.full = true;

    // when
    String answers = fixture.probe.raw(LOOK_UP + ORDER + BODY + LOOK_UP + ORDER + BODY + LAST);

    // then
    assertThat(statuses(answers)).containsExactly("200", "503", "200", "503", "201");
  }

  @Test
  void shouldEndTheConnectionWhenItsCallerDoesNotReadTheRefusals() throws IOException {
    // given
    fixture.orders.full = true;
    byte[] many = (ORDER + BODY).repeat(1_000).getBytes(ISO_8859_1);

    // when
    try (Socket socket = new Socket("127.0.0.1", fixture.port.port())) {
      Throwable ended =
          catchThrowable(
              () -> {
                for (int i = 0; i < 1_000; i++) {
                  socket.getOutputStream().write(many);
                }
              });

      // then
      assertThat(ended).isInstanceOf(IOException.class);
    }
  }

  @Test
  void shouldAnswerInOrderWhenARequestBeforeIsNotAnsweredYet() throws Exception {
    // given
    fixture.orders.full = true;
    Promise<OrderAnswer> found = Promise.promise();
    fixture.orders.found = found.future();

    // when
    CompletableFuture<String> answers = rawLater(LOOK_UP + ORDER + BODY + LAST);
    eventually(() -> !fixture.orders.asked.isEmpty());
    found.complete(new OrderAnswer.Known(FakeOrders.PENDING));

    // then
    assertThat(statuses(await(answers))).containsExactly("200", "201", "201");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST /v1/orders HTTP/1.0\r\n",
        "POST /v1/orders?x HTTP/1.1\r\nConnection: close\r\n",
        "POST /v1/orders HTTP/1.1\r\nConnection: close\r\n",
        "POST /v1/orders HTTP/1.1\r\nExpect: 100-continue\r\nConnection: close\r\n",
      })
  void shouldLeaveToTheServerWhatTheGateCannotAnswer(String head) throws IOException {
    // given
    fixture.orders.full = true;

    // when
    String answer = fixture.probe.raw(head + HEAD + BODY);

    // then
    assertThat(statuses(answer)).containsAnyOf("201", "400").doesNotContain("503");
  }

  @Test
  void shouldServeAllOtherCallsWhenThereIsNoRoomForOrders() {
    // given
    fixture.orders.full = true;

    // when
    Answer answer =
        fixture.probe.send(
            "GET", "/v1/orders/" + FakeOrders.TOKEN, BodyPublishers.noBody(), "X-User-Id", "alice");

    // then
    assertThat(answer.status()).isEqualTo(200);
  }

  @Test
  void shouldServeOrdersAgainWhenThereIsRoom() {
    // given
    fixture.orders.full = true;
    fixture.place();

    // when
    fixture.orders.full = false;

    // then
    assertThat(fixture.place().status()).isEqualTo(201);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "zz\r\n",
        "2\r\n{}xx0\r\n\r\n",
        "ffffffffff\r\n",
        "2\r\n{}\r\n0\r\nno trailer\r\n\r\n",
      })
  void shouldAnswer400AndCloseWhenARefusedBodyIsMalformed(String chunks) throws IOException {
    // given
    double malformed = answered("bad-request");
    fixture.orders.full = true;
    String body = "Transfer-Encoding: chunked\r\n\r\n" + chunks;

    // when
    String answer = fixture.probe.raw(ORDER + body + LAST);
    String answers = fixture.probe.raw(LOOK_UP + ORDER + BODY + ORDER + body + LAST);

    // then
    assertThat(statuses(answer)).containsExactly("400");
    assertThat(answer).contains("/problems/bad-request", "connection: close");
    assertThat(statuses(answers)).containsExactly("200", "503", "400");
    assertThat(fixture.orders.asked).hasSize(1);
    assertThat(answered("bad-request") - malformed).isEqualTo(2);
  }

  private static List<String> statuses(String answers) {
    return STATUS.matcher(answers).results().map(line -> line.group(1)).toList();
  }

  private static double refused() {
    return answered("busy");
  }

  private static double answered(String outcome) {
    return fixture
        .registry
        .counter("sluice_http_requests", "call", "place", "outcome", outcome)
        .count();
  }

  private static CompletableFuture<String> rawLater(String bytes) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return fixture.probe.raw(bytes);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }
}
