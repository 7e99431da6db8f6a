package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which values are printed at the start, and which are redacted. */
class ConfigTest {

  @Test
  void shouldHideSecretsAndPasswordsWhenShown() {
    // given
    Config config =
        Configs.of(
            Map.of(
                "SLUICE_ADMIN_TOKEN", "hidden-1-hidden-1",
                "SLUICE_AUTH_SERVICE_TOKEN", "hidden-2-hidden-2",
                "SLUICE_AUTH_TOKEN_SECRET", "hidden-3-hidden-3",
                "SLUICE_REDIS_URI", "redis://user:hidden-4@redis:6379",
                "SLUICE_MYSQL_URI", "mysql://user:hid:den-5@db:3306/sluice"));

    // when
    List<String> lines = config.lines();

    // then
    assertThat(lines)
        .contains(
            "http.port = 8080",
            "http.queue_max = 10000",
            "http.connections_max = 20000",
            "http.body_timeout_s = 10",
            "http.polls_max = 5000",
            "admin.token = ***",
            "auth.service_token = ***",
            "auth.token_secret = ***",
            "redis.uri = redis://user:***@redis:6379",
            "mysql.uri = mysql://user:***@db:3306/sluice",
            "redis.mode = standalone")
        .noneMatch(line -> line.contains("hid"));
    assertThat(config.toString()).doesNotContain("hid").contains("redis://user:***@redis:6379");
  }

  @Test
  void shouldSayNoneWhenASecretIsNotSet() {
    // when
    List<String> lines = Config.defaults().lines();

    // then
    assertThat(lines).contains("admin.token = (none)", "redis.uri = redis://127.0.0.1:6379");
  }

  @ParameterizedTest
  @CsvSource({"1,1,1,1", "8,2,1,5", "9,2,1,6", "40,10,5,25"})
  void shouldShareThePoolAmongThoseWhoMustNotWaitForEachOther(
      int all, int lookups, int bookings, int owners) {
    // when
    MysqlConfig mysql = new MysqlConfig("mysql://u:p@h:3306/sluice", all, 1, 1_000, "disabled", "");

    // then
    assertThat(mysql.forLookups().poolSize()).isEqualTo(lookups);
    assertThat(mysql.forBookings().poolSize()).isEqualTo(bookings);
    assertThat(mysql.forOwners().poolSize()).isEqualTo(owners);
  }
}
