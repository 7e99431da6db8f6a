package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnsafeDefaultsTest {
  private static final String TOKEN = "a-token-of-16-or-more";
  private static final String KEY_OF_TOKENS = "a-secret-of-32-bytes-or-some-more";

  /** Everything decided, on ports that only this machine can reach. */
  private static final Map<String, String> DECIDED =
      Map.of(
          "SLUICE_HTTP_HOST",
          "127.0.0.1",
          "SLUICE_AUTH_SERVICE_TOKEN",
          TOKEN,
          "SLUICE_ADMIN_TOKEN",
          TOKEN,
          "SLUICE_AUTH_TRUSTED_PROXIES",
          "10.0.0.1");

  @Test
  void shouldTellEachThatIsLeft() {
    // when
    List<UnsafeDefaults.Left> left = UnsafeDefaults.of(Config.defaults());

    // then
    assertThat(left)
        .extracting(UnsafeDefaults.Left::key)
        .containsExactly(
            "auth.service_token", "admin.token", "auth.trusted_proxies", "http.tls.cert_file");
    assertThat(left.get(0).why()).contains("http.host is not loopback").contains("are refused");
    assertThat(left.get(1).why()).contains("every program of this machine");
    assertThat(left.get(2).why()).contains("X-User-Id");
    assertThat(left.get(3).why()).contains("where a gateway in front ends TLS");
  }

  @Test
  void shouldTellNothingWhenAllWasDecided() {
    // given
    Map<String, String> tls =
        Map.of(
            "SLUICE_HTTP_HOST", "0.0.0.0",
            "SLUICE_HTTP_TLS_CERT_FILE", "tls.crt",
            "SLUICE_HTTP_TLS_KEY_FILE", "tls.key",
            "SLUICE_ADMIN_HOST", "10.0.7.21",
            "SLUICE_ADMIN_TLS_CERT_FILE", "tls.crt",
            "SLUICE_ADMIN_TLS_KEY_FILE", "tls.key");
    Map<String, String> byName =
        Map.of(
            "SLUICE_HTTP_HOST",
            "127.0.0.1",
            "SLUICE_AUTH_SERVICE_TOKEN",
            TOKEN,
            "SLUICE_ADMIN_TOKENS",
            "alice:operator:" + TOKEN,
            "SLUICE_AUTH_TRUSTED_PROXIES",
            "10.0.0.1");

    // when
    List<List<UnsafeDefaults.Left>> left =
        List.of(left(Map.of()), left(tls), UnsafeDefaults.of(Configs.of(byName)));

    // then
    assertThat(left).containsOnly(List.of());
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "header, -,         0,   auth.trusted_proxies, X-User-Id",
        "header, -,         600, auth.trusted_proxies, X-User-Id",
        "header, 10.0.3.0/24, 600, -,                  -",
        "jwt,    -,         0,   -,                    -",
        "jwt,    -,         600, auth.trusted_proxies, X-Forwarded-For",
        "jwt,    10.0.3.0/24, 600, -,                  -",
      })
  void shouldTellWhichHeaderIsAcceptedFromEverybodyNearby(
      String mode, String gateways, int perMinute, String key, String header) {
    // given
    Map<String, String> environment = new HashMap<>(DECIDED);
    environment.put("SLUICE_AUTH_MODE", mode);
    environment.put("SLUICE_AUTH_JWT_SECRET", KEY_OF_TOKENS);
    environment.put("SLUICE_AUTH_ISSUER", "shop");
    environment.put("SLUICE_ADMISSION_ADDRESS_PER_MINUTE", String.valueOf(perMinute));
    environment.remove("SLUICE_AUTH_TRUSTED_PROXIES");
    if (mode.equals("jwt")) {
      environment.put("SLUICE_AUTH_AUDIENCE", "sluice");
    }
    if (gateways != null) {
      environment.put("SLUICE_AUTH_TRUSTED_PROXIES", gateways);
    }

    // when
    List<UnsafeDefaults.Left> left = UnsafeDefaults.of(Configs.of(environment));

    // then
    assertThat(left)
        .extracting(UnsafeDefaults.Left::key)
        .isEqualTo(key == null ? List.of() : List.of(key));
    assertThat(left).allMatch(one -> one.why().startsWith(header + " is accepted from"));
  }

  /**
   * What is told of one setting beside others that were decided: the keys, and words of why. A
   * blank ends a line of Kafka's properties.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "AUTH_MODE=jwt;AUTH_JWKS_FILE=k.json|auth.issuer;auth.audience|tokens and tickets of every"
            + " issuer",
        "AUTH_JWT_SECRET=a-secret-of-32-bytes-or-some-more|auth.issuer|the tickets of every issuer",
        "HTTP_HOST=0.0.0.0|http.tls.cert_file|token of the back office",
        "HTTP_HOST=::|http.tls.cert_file|a gateway in front ends TLS",
        "HTTP_HOST=10.0.7.21|http.tls.cert_file|plain text",
        "ADMIN_HOST=0.0.0.0|admin.tls.cert_file|tokens of operators",
        "ADMIN_HOST=admin.internal|admin.tls.cert_file|plain text",
        "HTTP_HOST=localhost|-|-",
        "HTTP_HOST=::1|-|-",
        "ADMIN_HOST=127.0.0.2|-|-",
        "HTTP_HOST=0.0.0.0;AUTH_MODE=jwt;AUTH_JWT_SECRET=a-secret-of-32-bytes-or-some-more;AUTH_ISSUER=shop;AUTH_AUDIENCE=sluice|http.tls.cert_file|tokens"
            + " of buyers and back office",
        "MYSQL_URI=mysql://u:p@db/sluice;REDIS_URI=redis://:p@redis;KAFKA_BOOTSTRAP_SERVERS=kafka:9092|mysql.tls;redis.uri;kafka.properties|plain"
            + " text",
        "MYSQL_URI=mysql://u:p@db/sluice;MYSQL_TLS=required|mysql.tls|nothing proves",
        "REDIS_URI=rediss://redis|redis.uri|no password",
        "MYSQL_URI=mysql://u:p@db/sluice;MYSQL_TLS=verify;REDIS_URI=rediss://:p@redis|-|-",
        "KAFKA_BOOTSTRAP_SERVERS=127.0.0.1:9092,[::1]:9092,localhost:9093|-|-",
        "KAFKA_BOOTSTRAP_SERVERS=127.0.0.1:9092;KAFKA_PROPERTIES=security.protocol=SASL_PLAINTEXT|-|-",
        "KAFKA_BOOTSTRAP_SERVERS=127.0.0.1:9092,kafka-2:9092|kafka.properties|orders and events"
            + " travel to the brokers as plain text",
        "KAFKA_BOOTSTRAP_SERVERS=[2001:db8::1]:9092;KAFKA_PROPERTIES=security.protocol=plaintext|"
            + "kafka.properties|orders and events travel to the brokers",
        "KAFKA_BOOTSTRAP_SERVERS=kafka-1:9092;KAFKA_PROPERTIES=security.protocol=SASL_PLAINTEXT|"
            + "kafka.properties|login, orders and events travel to",
        "KAFKA_BOOTSTRAP_SERVERS=kafka:9092;KAFKA_PROPERTIES=security.protocol=SASL_SSL|-|-",
        "KAFKA_BOOTSTRAP_SERVERS=kafka-1:9092;KAFKA_PROPERTIES=security.protocol=SASL_SSL"
            + " ssl.endpoint.identification.algorithm=https|-|-",
        "KAFKA_BOOTSTRAP_SERVERS=kafka-1:9092;KAFKA_PROPERTIES=security.protocol=SSL|"
            + "kafka.properties|there is no login",
        "KAFKA_BOOTSTRAP_SERVERS=kafka-1:9092;KAFKA_PROPERTIES=security.protocol=SSL"
            + " ssl.keystore.location=key.pem|-|-",
        "KAFKA_BOOTSTRAP_SERVERS=kafka-1:9092;KAFKA_PROPERTIES=security.protocol=SSL"
            + " ssl.endpoint.identification.algorithm=|kafka.properties|"
            + "ssl.endpoint.identification.algorithm is empty",
        "KAFKA_BOOTSTRAP_SERVERS=localhost:9092;KAFKA_PROPERTIES=security.protocol=SSL"
            + " ssl.endpoint.identification.algorithm=|kafka.properties|"
            + "ssl.endpoint.identification.algorithm is empty",
      })
  void shouldTellWhatASettingLeavesOpen(String settings, String keys, String why) {
    // given
    Map<String, String> environment = Configs.variables(settings);
    environment.computeIfPresent(
        "SLUICE_KAFKA_PROPERTIES", (name, value) -> value.replace(' ', '\n'));

    // when
    List<UnsafeDefaults.Left> left = left(environment);

    // then
    assertThat(left)
        .extracting(UnsafeDefaults.Left::key)
        .isEqualTo(keys == null ? List.of() : List.of(keys.split(";")));
    assertThat(left.isEmpty() ? "" : left.get(0).why()).contains(text(why));
  }

  private static String text(String orNull) {
    return orNull == null ? "" : orNull;
  }

  /** What is left where all is decided except for these. */
  private static List<UnsafeDefaults.Left> left(Map<String, String> others) {
    Map<String, String> environment = new HashMap<>(DECIDED);
    environment.putAll(others);
    return UnsafeDefaults.of(Configs.of(environment));
  }
}
