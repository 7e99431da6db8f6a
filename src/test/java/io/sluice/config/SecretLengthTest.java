package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Locale;
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
    "jwt, 32, aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, false", // 31 bytes
    "jwt, 32, aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, true", // 32
    "jwt, 32, aäääääääääääääää, false", // 31
    "jwt, 32, ääääääääääääääää, true", // 32
    "token, 16, aäääääää, false", // 15
    "token, 16, ääääääää, true", // 16
  })
  void shouldAcceptASecretWithEnoughBytesOnly(
      String what, int bytesMin, String secret, boolean isAccepted) {
    // when
    Throwable fault =
        fault("SLUICE_AUTH_%s_SECRET".formatted(what.toUpperCase(Locale.ROOT)), secret);

    // then
    if (isAccepted) {
      assertThat(fault).isNull();
    } else {
      assertThat(fault)
          .isInstanceOf(InvalidConfigException.class)
          .hasMessage("auth.%s_secret must have %d bytes or more", what, bytesMin);
    }
  }

  private static Throwable fault(String variable, String value) {
    return catchThrowable(() -> Configs.of(Map.of(variable, value)));
  }
}
