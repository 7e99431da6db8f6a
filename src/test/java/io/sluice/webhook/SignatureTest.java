package io.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import io.sluice.ledger.Webhooks;
import io.sluice.ledger.Webhooks.Form;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages are signed as Standard Webhooks 1.0.0 says, by whose own library they are verified. */
class SignatureTest {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final String FORMER = "whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0";
  private static final String BODY = "{\"test\": 2432232314}";
  private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";

  private static Webhooks.Webhook target(long formerUntilMs) {
    return new Webhooks.Webhook(
        "shop",
        "https://a.example",
        SECRET,
        FORMER,
        formerUntilMs,
        "*",
        Form.FULL,
        "",
        "",
        "",
        0,
        5);
  }

  private static Map<String, List<String>> headers(long nowS, String signature) {
    return Map.of(
        "webhook-id", List.of(ID),
        "webhook-timestamp", List.of(Long.toString(nowS)),
        "webhook-signature", List.of(signature));
  }

  @Test
  void shouldSignThePublishedExampleAsPublished() {
    assertThat(Signature.of(SECRET, ID, 1_614_265_330L, BODY))
        .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  }

  @Test
  void shouldBeVerifiedWithEitherSecretWhileTheSecretChanges() throws Exception {
    // given
    long nowS = Instant.now().getEpochSecond();

    // when
    String both = Signature.header(target(6), ID, nowS, BODY);
    String one = Signature.header(target(5), ID, nowS, BODY);

    // then
    assertThat(both.split(" ")).hasSize(2);
    new Webhook(SECRET).verify(BODY, headers(nowS, both));
    new Webhook(FORMER).verify(BODY, headers(nowS, both));
    new Webhook(SECRET).verify(BODY, headers(nowS, one));
    assertThatThrownBy(() -> new Webhook(FORMER).verify(BODY, headers(nowS, one)))
        .isInstanceOf(WebhookVerificationException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw,true",
    "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw,false",
    "whsec_,false",
    "whsec_c2hvcnQ=,false",
    "whsec_not base64 at all not base64 at,false",
  })
  void shouldTakeAsSecretWhatTheSpecificationSays(String text, boolean isSecret) {
    assertThat(Signature.isSecret(text)).isEqualTo(isSecret);
  }
}
