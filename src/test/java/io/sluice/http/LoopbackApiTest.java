package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.auth.LocalCall;
import io.sluice.web.HttpProbe.Answer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Without a token: whose calls from the loopback address are the back office's. */
class LoopbackApiTest {
  private static final String CONFIRM = "/v1/orders/" + FakeOrders.TOKEN + "/confirm";

  @RegisterExtension
  static final PublicPortFixture fixture =
      PublicPortFixture.serving(PublicPortFixture.LOCAL_BACK_OFFICE);

  @ParameterizedTest
  @MethodSource("io.sluice.auth.LocalCall#own")
  void shouldConfirmWhenAProgramOfThisMachineCalls(LocalCall call) {
    // when
    String answer = call.send(fixture.probe, "POST", CONFIRM);

    // then
    assertThat(answer).startsWith("HTTP/1.1 200 ");
    assertThat(fixture.orders.asked).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("io.sluice.auth.LocalCall#foreign")
  void shouldRefuseToConfirmWhenSomebodyElseStandsBehindTheCall(LocalCall call) {
    // when
    String answer = call.send(fixture.probe, "POST", CONFIRM);

    // then
    assertThat(answer).containsPattern("^HTTP/1\\.[01] 401 ").contains("auth.service_token");
    assertThat(fixture.orders.asked).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::", "10.0.0.1", "sluice.internal"})
  void shouldNameTheKeyWhenThePortCanBeReachedFromElsewhere(String host) {
    // given
    try (PublicPortFixture reachable =
        PublicPortFixture.serving(PublicPortFixture.LOCAL_BACK_OFFICE, host)) {

      // when
      Answer confirm = reachable.probe.post(CONFIRM);
      Answer several = reachable.probe.post("/v1/orders/commands");
      Answer look = reachable.probe.get("/v1/orders/" + FakeOrders.TOKEN);

      // then
      assertThat(Stream.of(confirm, several, look))
          .allSatisfy(
              answer -> {
                assertThat(answer.status()).isEqualTo(401);
                assertThat(answer.json().getString("detail"))
                    .contains("set auth.service_token, or http.host to a loopback address");
              });
      assertThat(reachable.orders.asked).isEmpty();
    }
  }

  @Test
  void shouldSayWhatWasWrongWhenItRefuses() {
    // when
    Answer answer = fixture.probe.post(CONFIRM, "X-Real-IP", "192.0.2.1");

    // then
    assertThat(answer.problem()).isEqualTo("unauthorized");
    assertThat(answer.header("www-authenticate")).isEqualTo("Bearer");
    assertThat(answer.json().getString("detail")).contains("it carries X-Real-IP");
  }
}
