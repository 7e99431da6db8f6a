package io.sluice.web.caller;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.AuthConfig;
import io.sluice.jwt.JwtSettings;
import io.sluice.jwt.JwtVerifier;
import io.sluice.jwt.KeyRing;
import io.sluice.jwt.TokenSigner;
import io.sluice.web.GuardedCall;
import io.sluice.web.problem.Problem;
import io.sluice.web.problem.ProblemType;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.lang.reflect.Proxy;
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
    JwtIdentity unit = new JwtIdentity(config, verifier, request -> new Unlimited());
    GuardedCall call =
        new Call(request(TokenSigner.hmac(SECRET.replace('0', '1').getBytes(UTF_8))));

    // when
    List<ProblemType> answers = new ArrayList<>();
    for (int i = 0; i < FLOOD; i++) {
      answers.add(unit.refusal(call).type());
    }

    // then
    assertThat(answers).startsWith(ProblemType.UNAUTHORIZED).contains(ProblemType.BUSY);
  }

  private static final class Unlimited implements TokenSenders.Credit {
    @Override
    public boolean isSpent() {
      return false;
    }

    @Override
    public void spend() {}

    @Override
    public Problem refusal() {
      throw new AssertionError("is not asked");
    }
  }

  private record Call(HttpServerRequest request) implements GuardedCall {
    @Override
    public String call() {
      return "place";
    }

    @Override
    public java.util.Map<String, String> pathParams() {
      return java.util.Map.of();
    }

    @Override
    public io.vertx.core.buffer.@org.jspecify.annotations.Nullable Buffer readBody() {
      return null;
    }

    @Override
    public void undoneBy503(Runnable undoing) {}
  }

  private static HttpServerRequest request(TokenSigner signer) {
    String token = signer.token(new JsonObject().put("sub", "alice").put("exp", 600));
    MultiMap headers = MultiMap.caseInsensitiveMultiMap().add("Authorization", "Bearer " + token);
    return (HttpServerRequest)
        Proxy.newProxyInstance(
            JwtIdentityTest.class.getClassLoader(),
            new Class<?>[] {HttpServerRequest.class},
            (proxy, method, arguments) -> headers);
  }
}
