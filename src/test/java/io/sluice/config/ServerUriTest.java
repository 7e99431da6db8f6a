package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerUriTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "redis://h h -1 '' '' ''",
        "redis://h:1 h 1 '' '' ''",
        "rediss://:p@h/2 h -1 '' p 2",
        "redis://u@h h -1 u '' ''",
        "redis://u:p:w@h:6379 h 6379 u p:w ''",
        "mysql://u:a%40b%2Fc%3A+d@h:3306/d%C3%A4 h 3306 u a@b/c:+d dä",
        "mysql://u:p@[::1]:3306/d ::1 3306 u p d",
        "mysql://u:p@[::1]/d ::1 -1 u p d",
      })
  void shouldTakeThePartsAsTheyAre(
      String uri, String host, int port, String user, String password, String path) {
    // when
    ServerUri parts = ServerUri.parse(uri);

    // then
    assertThat(parts.host()).isEqualTo(host);
    assertThat(parts.port()).isEqualTo(port);
    assertThat(parts.user()).isEqualTo(user);
    assertThat(parts.password()).isEqualTo(password);
    assertThat(parts.path()).isEqualTo(path);
  }

  @Test
  void shouldHidePasswordAndParametersWhenShown() {
    // when
    ServerUri parts = ServerUri.parse("rediss://u:hid:den@[::1]:6380/2?client=hidden&b=%26c");

    // then
    assertThat(parts).hasToString("rediss://u:***@[::1]:6380/2");
    assertThat(parts.parameters()).containsEntry("client", "hidden").containsEntry("b", "&c");
  }
}
