package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.AuthConfig;
import io.sluice.config.Cidr;
import io.sluice.web.HttpProbe.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The header that names a buyer is taken from gateways only; these calls come from loopback. */
class GatewayApiTest {
  private static final String ORDER = "/v1/orders/" + FakeOrders.TOKEN;

  @Test
  void shouldTakeTheBuyerFromAGateway() {
    // given
    try (PublicPortFixture fixture = PublicPortFixture.serving(auth("10.0.0.0/8", "127.0.0.1"))) {

      // when
      Answer placed = fixture.place();
      Answer again = fixture.place();

      // then
      assertThat(placed.status()).isEqualTo(201);
      assertThat(again.status()).isEqualTo(201);
    }
  }

  @Test
  void shouldAnswer401WhenTheCallIsNoGateways() {
    // given
    try (PublicPortFixture fixture = PublicPortFixture.serving(auth("10.0.0.0/8", "::1"))) {

      // when: the second comes on the same connection
      List<Answer> answers =
          List.of(
              fixture.place(),
              fixture.place(),
              fixture.probe.get(ORDER, "X-User-Id", "bob"),
              fixture.probe.post(ORDER + "/cancel", "X-User-Id", "bob"));

      // then
      assertThat(answers)
          .allSatisfy(
              answer -> {
                assertThat(answer.problem()).isEqualTo("unauthorized");
                assertThat(answer.json().getString("detail"))
                    .startsWith("Expected X-User-Id from a gateway of auth.trusted_proxies");
              });
      assertThat(fixture.orders.asked).isEmpty();
    }
  }

  @Test
  void shouldKnowTheBackOfficeFromAnywhereByItsToken() {
    // given
    try (PublicPortFixture fixture = PublicPortFixture.serving(auth("10.0.0.0/8"))) {

      // when
      Answer seen =
          fixture.probe.get(
              ORDER, "Authorization", "Bearer " + PublicPortFixture.TOKEN, "X-User-Id", "bob");

      // then
      assertThat(seen.status()).isEqualTo(200);
      assertThat(fixture.orders.asked).singleElement().asString().endsWith(" all");
    }
  }

  private static AuthConfig auth(String... gateways) {
    return PublicPortFixture.auth(
        "X-User-Id", List.of(gateways).stream().map(Cidr::parse).toList(), PublicPortFixture.TOKEN);
  }
}
