package io.sluice.auth;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.auth.JwtVerifier.SignatureBudget;
import io.sluice.config.AuthConfig;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a flood of forged tokens may cost. */
class SignatureBudgetTest {
  private static final String SECRET = "0123456789abcdef0123456789abcdef";
  private static final TokenSigner SIGNER = TokenSigner.hmac(SECRET.getBytes(UTF_8));
  private static final TokenSigner FORGER =
      TokenSigner.hmac(SECRET.replace('0', '1').getBytes(UTF_8));
  private static final AuthConfig CONFIG = JwtSettings.ofSecret(SECRET).open();
  private static final long SIGNATURE_NS = Duration.ofMillis(1).toNanos();

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong lookNs = new AtomicLong(SIGNATURE_NS);

  @Test
  void shouldGiveBackAThirdOfACoreWhenItIsSpent() {
    // given
    SignatureBudget budget = new SignatureBudget(nanos::get);
    for (int i = 0; i < 300; i++) {
      budget.spend(-SIGNATURE_NS);
    }
    boolean spent = budget.isSpent();

    // when: what was used over the limit is owed
    budget.spend(-SIGNATURE_NS);
    nanos.addAndGet(Duration.ofMillis(3).toNanos());
    boolean tooSoon = budget.isSpent();
    nanos.addAndGet(Duration.ofMillis(1).toNanos());

    // then
    assertThat(spent).isTrue();
    assertThat(tooSoon).isTrue();
    assertThat(budget.isSpent()).isFalse();
  }

  @Test
  void shouldNotBlameTheCallerWhenTheMachinePaused() {
    // given
    SignatureBudget budget = new SignatureBudget(nanos::get);

    // when
    budget.spend(-Duration.ofSeconds(10).toNanos());

    // then
    assertThat(budget.isSpent()).isFalse();
  }

  @Test
  void shouldPassKnownTokensOnlyWhenForgedOnesHaveSpentIt() {
    // given: each look at the clock takes a millisecond
    JwtVerifier verifier =
        new JwtVerifier(
            KeyRing.open(CONFIG, () -> nanos.addAndGet(lookNs.get())),
            "sub",
            () -> Instant.ofEpochSecond(1_800_000_000L));
    String known = outcome(verifier, SIGNER, "alice");

    // when
    int forged = 0;
    while (outcome(verifier, FORGER, "f" + forged).equals("SIGNATURE") && forged < 10_000) {
      forged++;
    }
    lookNs.set(0);
    String knownThen = outcome(verifier, SIGNER, "alice");
    String unseenThen = outcome(verifier, SIGNER, "bob");
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());

    // then
    assertThat(known).isEqualTo("alice");
    assertThat(forged).isBetween(300, 9_999);
    assertThat(knownThen).isEqualTo("alice");
    assertThat(unseenThen).isEqualTo("BUSY");
    assertThat(outcome(verifier, SIGNER, "bob")).isEqualTo("bob");
  }

  private static String outcome(JwtVerifier verifier, TokenSigner signer, String buyer) {
    JsonObject claims = new JsonObject().put("sub", buyer).put("exp", 1_800_000_600L);
    return JwtSettings.outcome(verifier, CONFIG, signer.token(claims));
  }
}
