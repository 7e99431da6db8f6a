package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An error names the key or the place, and nothing that may be a secret. */
class SecretsInErrorsTest {
  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "SLUICE_ADMIN_TOKEN,not hidden,admin.token",
    "SLUICE_REDIS_URI,redis://u:hidd#en@h,redis.uri",
    "SLUICE_REDIS_URI,http://hidden@h,redis.uri",
    "SLUICE_REDIS_URI,redis:/u:hidden@h,redis.uri",
    "SLUICE_MYSQL_URI,mysql://u:hid@den@h,mysql.uri",
    "SLUICE_MYSQL_URI,mysql://h/d?password=hidden,mysql.uri",
    "SLUICE_MYSQL_URI,mysql://u:p@h/d?sslKey=hidden,mysql.uri",
    "SLUICE_MYSQL_URI,mysql://u:hidden,mysql.uri",
    "SLUICE_REDIS_URI,redis://u:hid:den,redis.uri",
    "SLUICE_REDIS_URI,redis://h?password=hid@den,redis.uri",
    "SLUICE_KAFKA_BOOTSTRAP_SERVERS,sasl://u:hidden@h:9092,kafka.bootstrap_servers",
    "SLUICE_HTTP_PORT,redis://u:hidden@h,http.port",
    "SLUICE_REDIS_MODE,redis://u:hidden@h,redis.mode",
    "SLUICE_AUTH_TRUSTED_PROXIES,u:hidden@h,auth.trusted_proxies",
    "SLUICE_ADMIN_TOKENS,alice:operator:hidden,admin.tokens",
    "SLUICE_ADMIN_TOKENS,hidden,admin.tokens",
  })
  void shouldNotShowAPasswordWhenTheValueIsWrong(String variable, String value, String key) {
    // given
    Settings settings = new Settings(Map.of(), Map.of(variable, value));

    // when
    Throwable fault = catchThrowable(() -> Config.read(settings));

    // then
    assertThat(fault).isInstanceOf(InvalidConfigException.class).hasMessageStartingWith(key);
    assertThat(fault.getMessage()).doesNotContain("hid");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "auth: {service_token: \"hidden-hidden-hidden}",
        "auth:\n  service_token: hidden: hidden",
        "auth:\n  service_token: @hidden",
        "auth:\n  service_token: \"hid\\hidden\"",
        "auth:\n  service_token: *hidden",
        "auth:\n  service_token: !hidden x",
        "auth: {service_token:hidden-hidden-hidden}",
        "auth: {hiddenHidden123: }",
        "hidden-hidden: 1",
        "redis: {uri: {password: hidden}}",
        "redis: {uri: [hidden]}",
        "hidden-hidden-hidden",
        "- hidden",
      })
  void shouldNotQuoteTheFileWhenItIsWrong(String content) {
    // when
    InvalidConfigException fault = Configs.fault(directory, content);

    // then
    assertThat(fault.getMessage()).doesNotContain("hidden").doesNotContain("\n");
  }

  @Test
  void shouldNameThePlaceWhenItIsNotYaml() {
    // when
    InvalidConfigException fault = Configs.fault(directory, "http:\n  port: 1\n  host: \"open");

    // then
    assertThat(fault).hasMessageContaining("line 3, column ");
  }
}
