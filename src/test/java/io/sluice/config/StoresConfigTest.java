package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoresConfigTest {
  private static final String AWAY =
      "MYSQL_URI=mysql://u:p@db/sluice;REDIS_URI=redis://redis:6379;"
          + "KAFKA_BOOTSTRAP_SERVERS=kafka:9092";

  @Test
  void shouldDemandNothingOfStoresOnThisMachine() {
    assertThatCode(() -> UnsafeDefaults.refuse(Config.defaults())).doesNotThrowAnyException();
  }

  @Test
  void shouldTellAllThatIsMissingAtOnce() {
    assertThatThrownBy(() -> refuse(AWAY))
        .isInstanceOf(InvalidConfigException.class)
        .hasMessageContaining("mysql.tls must be verify, or stores.accept name mysql-unverified")
        .hasMessageContaining("redis.uri must have a password")
        .hasMessageContaining("kafka.properties must have a login")
        .hasMessageEndingWith("not on this machine");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "MYSQL_URI=mysql://u:p@db/sluice|mysql-unverified",
        "MYSQL_URI=mysql://u:p@db/sluice;MYSQL_TLS=required|mysql-unverified",
        "REDIS_URI=redis://redis|redis-without-login",
        "REDIS_URI=rediss://redis|redis-without-login",
        "REDIS_MODE=cluster;REDIS_URIS=redis://127.0.0.1:1,redis://10.0.0.1:1|redis-without-login",
        "KAFKA_BOOTSTRAP_SERVERS=127.0.0.1:9092,kafka:9092|kafka-without-login",
        "KAFKA_BOOTSTRAP_SERVERS=kafka:9092;KAFKA_PROPERTIES=security.protocol=SSL|kafka-without-login",
      })
  void shouldRefuseWhatIsMissingUntilItIsAccepted(String settings, String word) {
    assertThatThrownBy(() -> refuse(settings))
        .isInstanceOf(InvalidConfigException.class)
        .hasMessageContaining("stores.accept name " + word);
    assertThatCode(() -> refuse(settings + ";STORES_ACCEPT=" + word)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "MYSQL_URI=mysql://u:p@db/sluice;MYSQL_TLS=verify",
        "MYSQL_URI=mysql://u:p@[::1]/sluice",
        "REDIS_URI=redis://:p@redis",
        "KAFKA_BOOTSTRAP_SERVERS=kafka:9092;KAFKA_PROPERTIES=security.protocol=SASL_PLAINTEXT",
        "KAFKA_BOOTSTRAP_SERVERS=kafka:9092;KAFKA_PROPERTIES=security.protocol=SSL\n"
            + "ssl.keystore.location=k.pem",
        "REDIS_URI=;KAFKA_BOOTSTRAP_SERVERS=",
      })
  void shouldTakeStoresThatHaveWhatTheyNeed(String settings) {
    assertThatCode(() -> refuse(settings)).doesNotThrowAnyException();
  }

  @Test
  void shouldAcceptOnlyWordsThatItKnows() {
    assertThatThrownBy(() -> Configs.of("STORES_ACCEPT=all"))
        .isInstanceOf(InvalidConfigException.class)
        .hasMessageContaining("stores.accept must be any of mysql-unverified");
    assertThatCode(
            () ->
                refuse(
                    AWAY
                        + ";STORES_ACCEPT=mysql-unverified, redis-without-login,"
                        + "kafka-without-login"))
        .doesNotThrowAnyException();
  }

  private static void refuse(String settings) {
    UnsafeDefaults.refuse(Configs.of(settings));
  }
}
