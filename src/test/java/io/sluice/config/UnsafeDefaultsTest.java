package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UnsafeDefaultsTest {
  private static final String TOKEN = "a-token-of-16-or-more";

  @Test
  void shouldTellEachThatIsLeft() {
    // when
    List<UnsafeDefaults.Left> left = UnsafeDefaults.of(Config.defaults());

    // then
    assertThat(left)
        .extracting(UnsafeDefaults.Left::key)
        .containsExactly("auth.service_token", "admin.token", "auth.trusted_proxies");
    assertThat(left.get(0).why()).contains("http.host is not loopback").contains("are refused");
    assertThat(left.get(1).why()).contains("every program of this machine");
    assertThat(left.get(2).why()).contains("X-User-Id");
  }

  @Test
  void shouldTellWhatTokensMayPassWhenTheirIssuerAndAudienceAreNotCompared() {
    // given
    Map<String, String> environment =
        Map.of(
            "SLUICE_AUTH_MODE",
            "jwt",
            "SLUICE_AUTH_JWKS_FILE",
            "keys.json",
            "SLUICE_AUTH_SERVICE_TOKEN",
            TOKEN,
            "SLUICE_ADMIN_TOKEN",
            TOKEN);

    // when
    List<UnsafeDefaults.Left> left =
        UnsafeDefaults.of(Config.read(new Settings(Map.of(), environment)));

    // then
    assertThat(left)
        .extracting(UnsafeDefaults.Left::key)
        .containsExactly("auth.issuer", "auth.audience");
  }

  @Test
  void shouldTellNothingWhenAllWasDecided() {
    // given
    Map<String, String> byToken =
        Map.of(
            "SLUICE_AUTH_SERVICE_TOKEN", TOKEN,
            "SLUICE_ADMIN_TOKEN", TOKEN,
            "SLUICE_AUTH_TRUSTED_PROXIES", "10.0.0.1");
    Map<String, String> byName =
        Map.of(
            "SLUICE_AUTH_SERVICE_TOKEN",
            TOKEN,
            "SLUICE_ADMIN_TOKENS",
            "alice:operator:" + TOKEN,
            "SLUICE_AUTH_TRUSTED_PROXIES",
            "10.0.0.1");

    // when
    List<List<UnsafeDefaults.Left>> left =
        List.of(byToken, byName).stream()
            .map(environment -> Config.read(new Settings(Map.of(), environment)))
            .map(UnsafeDefaults::of)
            .toList();

    // then
    assertThat(left).containsOnly(List.of());
  }

  @Test
  void shouldTellOfPlainConnectionsThatLeaveTheMachine() {
    // given
    Map<String, String> environment =
        Map.of("SLUICE_MYSQL_URI", "mysql://u:p@db/sluice", "SLUICE_REDIS_URI", "redis://:p@redis");

    // when
    List<UnsafeDefaults.Left> left =
        UnsafeDefaults.of(Config.read(new Settings(Map.of(), environment)));

    // then
    assertThat(left).extracting(UnsafeDefaults.Left::key).contains("mysql.tls", "redis.uri");
  }

  @Test
  void shouldTellNothingOfEncryptedConnections() {
    // given
    Map<String, String> environment =
        Map.of(
            "SLUICE_MYSQL_URI", "mysql://u:p@db/sluice",
            "SLUICE_MYSQL_TLS", "verify",
            "SLUICE_REDIS_URI", "rediss://:p@redis");

    // when
    List<UnsafeDefaults.Left> left =
        UnsafeDefaults.of(Config.read(new Settings(Map.of(), environment)));

    // then
    assertThat(left).extracting(UnsafeDefaults.Left::key).doesNotContain("mysql.tls", "redis.uri");
  }
}
