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

  @Test
  void shouldTellWhatTokensMayPassWhenTheirIssuerAndAudienceAreNotCompared() {
    // given
    Map<String, String> jwt =
        Map.of("SLUICE_AUTH_MODE", "jwt", "SLUICE_AUTH_JWKS_FILE", "keys.json");

    // when
    List<UnsafeDefaults.Left> left = left(jwt);

    // then
    assertThat(left)
        .extracting(UnsafeDefaults.Left::key)
        .containsExactly("auth.issuer", "auth.audience");
    assertThat(left.get(0).why()).contains("tokens and tickets of every issuer");
  }

  @Test
  void shouldTellWhatTicketsMayPassWhenTheGatewayKnowsTheBuyersAndTheIssuerIsNotCompared() {
    // given
    Map<String, String> tickets = Map.of("SLUICE_AUTH_JWT_SECRET", KEY_OF_TOKENS);

    // when
    List<UnsafeDefaults.Left> left = left(tickets);

    // then
    assertThat(left).extracting(UnsafeDefaults.Left::key).containsExactly("auth.issuer");
    assertThat(left.get(0).why()).contains("the tickets of every issuer");
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SLUICE_HTTP_HOST|0.0.0.0|http.tls.cert_file|token of the back office",
        "SLUICE_HTTP_HOST|::|http.tls.cert_file|a gateway in front ends TLS",
        "SLUICE_HTTP_HOST|10.0.7.21|http.tls.cert_file|plain text",
        "SLUICE_ADMIN_HOST|0.0.0.0|admin.tls.cert_file|tokens of operators",
        "SLUICE_ADMIN_HOST|admin.internal|admin.tls.cert_file|plain text",
      })
  void shouldTellOfPortsWithoutTlsThatOthersCanReach(
      String variable, String host, String key, String why) {
    // when
    List<UnsafeDefaults.Left> left = left(Map.of(variable, host));

    // then
    assertThat(left).extracting(UnsafeDefaults.Left::key).containsExactly(key);
    assertThat(left.get(0).why()).contains(why);
  }

  @ParameterizedTest
  @CsvSource({
    "SLUICE_HTTP_HOST, localhost",
    "SLUICE_HTTP_HOST, ::1",
    "SLUICE_ADMIN_HOST, 127.0.0.2"
  })
  void shouldTellNothingOfPortsThatOnlyThisMachineCanReach(String variable, String host) {
    // when
    List<UnsafeDefaults.Left> left = left(Map.of(variable, host));

    // then
    assertThat(left).isEmpty();
  }

  @Test
  void shouldTellThatBuyersTokensTravelAsPlainTextWhenOthersCanReachThePort() {
    // given
    Map<String, String> jwt =
        Map.of(
            "SLUICE_HTTP_HOST", "0.0.0.0",
            "SLUICE_AUTH_MODE", "jwt",
            "SLUICE_AUTH_JWT_SECRET", KEY_OF_TOKENS,
            "SLUICE_AUTH_ISSUER", "shop",
            "SLUICE_AUTH_AUDIENCE", "sluice");

    // when
    List<UnsafeDefaults.Left> left = left(jwt);

    // then
    assertThat(left).extracting(UnsafeDefaults.Left::key).containsExactly("http.tls.cert_file");
    assertThat(left.get(0).why()).contains("tokens of buyers and back office");
  }

  @Test
  void shouldTellOfPlainConnectionsThatLeaveTheMachine() {
    // given
    Map<String, String> environment =
        Map.of(
            "SLUICE_MYSQL_URI", "mysql://u:p@db/sluice",
            "SLUICE_REDIS_URI", "redis://:p@redis",
            "SLUICE_KAFKA_BOOTSTRAP_SERVERS", "kafka:9092");

    // when
    List<UnsafeDefaults.Left> left = left(environment);

    // then
    assertThat(left)
        .extracting(UnsafeDefaults.Left::key)
        .containsExactly("mysql.tls", "redis.uri", "kafka.properties");
  }

  @Test
  void shouldTellWhatIsMissingOfEncryptedConnections() {
    // given
    Map<String, String> environment =
        Map.of(
            "SLUICE_MYSQL_URI", "mysql://u:p@db/sluice",
            "SLUICE_MYSQL_TLS", "required",
            "SLUICE_REDIS_URI", "rediss://redis");

    // when
    List<UnsafeDefaults.Left> left = left(environment);

    // then
    assertThat(left).extracting(UnsafeDefaults.Left::key).containsExactly("mysql.tls", "redis.uri");
    assertThat(left.get(0).why()).startsWith("nothing proves");
    assertThat(left.get(1).why()).contains("no password");
  }

  @Test
  void shouldTellNothingOfEncryptedConnections() {
    // given
    Map<String, String> environment =
        Map.of(
            "SLUICE_MYSQL_URI", "mysql://u:p@db/sluice",
            "SLUICE_MYSQL_TLS", "verify",
            "SLUICE_REDIS_URI", "rediss://:p@redis",
            "SLUICE_KAFKA_BOOTSTRAP_SERVERS", "kafka:9092",
            "SLUICE_KAFKA_PROPERTIES", "security.protocol=SASL_SSL");

    // when
    List<UnsafeDefaults.Left> left = left(environment);

    // then
    assertThat(left).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "127.0.0.1:9092,[::1]:9092,localhost:9093||-",
        "127.0.0.1:9092|security.protocol=SASL_PLAINTEXT|-",
        "127.0.0.1:9092,kafka-2:9092||orders and events travel to the brokers as plain text",
        "[2001:db8::1]:9092|security.protocol=plaintext|orders and events travel to the brokers",
        "kafka-1:9092|security.protocol=SASL_PLAINTEXT|login, orders and events travel to",
        "kafka-1:9092|security.protocol=SASL_SSL|-",
        "kafka-1:9092|security.protocol=SASL_SSL;ssl.endpoint.identification.algorithm=https|-",
        "kafka-1:9092|security.protocol=SSL|there is no login",
        "kafka-1:9092|security.protocol=SSL;ssl.keystore.location=key.pem|-",
        "kafka-1:9092|security.protocol=SSL;ssl.endpoint.identification.algorithm=|ssl.endpoint.identification.algorithm"
            + " is empty",
        "localhost:9092|security.protocol=SSL;ssl.endpoint.identification.algorithm=|ssl.endpoint.identification.algorithm"
            + " is empty",
      })
  void shouldTellWhatNothingProvesOfTheBrokers(String brokers, String properties, String why) {
    // given
    Map<String, String> kafka =
        Map.of(
            "SLUICE_KAFKA_BOOTSTRAP_SERVERS",
            brokers,
            "SLUICE_KAFKA_PROPERTIES",
            text(properties).replace(';', '\n'));

    // when
    List<UnsafeDefaults.Left> left = left(kafka);

    // then
    assertThat(left)
        .extracting(UnsafeDefaults.Left::key)
        .isEqualTo(why == null ? List.of() : List.of("kafka.properties"));
    assertThat(left).allMatch(one -> one.why().contains(text(why)));
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
