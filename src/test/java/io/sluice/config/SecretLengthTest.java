package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bounds of the lengths of tokens and secrets. */
class SecretLengthTest {

  @ParameterizedTest
  @CsvSource({
    "SLUICE_AUTH_SERVICE_TOKEN, ''",
    "SLUICE_AUTH_SERVICE_TOKEN, 'bbbbbbbbbbbbbbbb,'",
    "SLUICE_ADMIN_TOKEN, ''",
    "SLUICE_ADMIN_TOKEN, 'bbbbbbbbbbbbbbbb,'",
    "SLUICE_ADMIN_TOKENS, alice:operator:",
    "SLUICE_ADMIN_TOKENS, 'alice:operator:bbbbbbbbbbbbbbbb,'",
  })
  void shouldAcceptTokensOf16To512CharactersOnly(String variable, String before) {
    // when
    Throwable fault15 = fault(variable, before + "a".repeat(15));
    Throwable fault16 = fault(variable, before + "a".repeat(16));
    Throwable fault512 = fault(variable, before + "a".repeat(512));
    Throwable fault513 = fault(variable, before + "a".repeat(513));

    // then
    assertThat(fault15)
        .isInstanceOf(InvalidConfigException.class)
        .hasMessageContaining("16 to 512 characters");
    assertThat(fault16).isNull();
    assertThat(fault512).isNull();
    assertThat(fault513)
        .isInstanceOf(InvalidConfigException.class)
        .hasMessageContaining("16 to 512 characters");
  }

  /** An umlaut has two bytes. */
  @ParameterizedTest
  @CsvSource({
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, false", // 31 bytes
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, true", // 32
    "aäääääääääääääää, false", // 31
    "ääääääääääääääää, true", // 32
  })
  void shouldAcceptAJwtSecretOf32BytesOrMore(String secret, boolean isAccepted) {
    // when
    Throwable fault = fault("SLUICE_AUTH_JWT_SECRET", secret);

    // then
    if (isAccepted) {
      assertThat(fault).isNull();
    } else {
      assertThat(fault)
          .isInstanceOf(InvalidConfigException.class)
          .hasMessage("auth.jwt_secret must have 32 bytes or more");
    }
  }

  private static Throwable fault(String variable, String value) {
    return catchThrowable(() -> Configs.of(Map.of(variable, value)));
  }
}
