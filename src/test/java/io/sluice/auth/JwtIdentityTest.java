package io.sluice.auth;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.auth.Callers.JwtIdentity;
import io.sluice.config.AuthConfig;
import io.sluice.metrics.Meters;
import io.sluice.model.ProblemType;
import io.sluice.testkit.Ports;
import io.sluice.web.Exchange;
import io.sluice.web.InFlight;
import io.sluice.web.RequestPipeline;
import io.sluice.web.RequestTraces;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What the buyer of a new token hears in a flood of forged ones. */
class JwtIdentityTest {
  private static final String SECRET = "0123456789abcdef0123456789abcdef";
  private static final int FLOOD = 10_000;

  @Test
  void shouldAnswer503InsteadOf401WhenForgedTokensHaveUsedUpTheTime() {
    // given: each look at the clock takes a millisecond
    AtomicLong nanos = new AtomicLong();
    AuthConfig config = JwtSettings.ofSecret(SECRET).open();
    KeyRing ring = KeyRing.open(config, () -> nanos.addAndGet(1_000_000));
    JwtVerifier verifier = new JwtVerifier(ring, "sub", () -> Instant.ofEpochSecond(1));
    JwtIdentity unit = new JwtIdentity(config, verifier, request -> JwtSettings.UNLIMITED);
    Meters meters = new Meters(new SimpleMeterRegistry());
    Exchange call =
        new RequestPipeline(
                new InFlight(1, meters), new InFlight.PollBudget(0), meters, RequestTraces.OFF)
            .receive(request(TokenSigner.hmac(SECRET.replace('0', '1').getBytes(UTF_8))), "place");

    // when
    List<ProblemType> answers = new ArrayList<>();
    for (int i = 0; i < FLOOD; i++) {
      answers.add(unit.refusal(call).type());
    }

    // then
    assertThat(answers).startsWith(ProblemType.UNAUTHORIZED).contains(ProblemType.BUSY);
  }

  private static HttpServerRequest request(TokenSigner signer) {
    String token = signer.token(new JsonObject().put("sub", "alice").put("exp", 600));
    MultiMap headers = MultiMap.caseInsensitiveMultiMap().add("Authorization", "Bearer " + token);
    return Ports.answering(HttpServerRequest.class, (proxy, method, arguments) -> headers);
  }
}
