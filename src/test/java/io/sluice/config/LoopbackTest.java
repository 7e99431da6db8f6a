package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoopbackTest {

  /**
   * Whether the text is an address of this machine, and whether it is a host of this machine alone.
   */
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, true, true",
    "127.0.0.2, true, true",
    "127.8.9.10, true, true",
    "::1, true, true",
    "0:0:0:0:0:0:0:1, true, true",
    "::ffff:127.0.0.1, true, true",
    "localhost, false, true",
    "LocalHost, false, true",
    "10.0.0.1, false, false",
    "128.0.0.1, false, false",
    "0.0.0.0, false, false",
    "::, false, false",
    "::2, false, false",
    "fe80::1, false, false",
    "::ffff:10.0.0.1, false, false",
    "localhost.example, false, false",
    "sluice, false, false",
    "127.0.0, false, false",
    "'', false, false",
  })
  void shouldTellWhatIsOfThisMachine(String text, boolean isAddress, boolean isHost) {
    assertThat(Loopback.isAddress(text)).isEqualTo(isAddress);
    assertThat(Loopback.isHost(text)).isEqualTo(isHost);
  }

  @Test
  void shouldNotBeLoopbackWhenThereIsNoAddress() {
    assertThat(Loopback.isAddress(null)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LOCALHOST:8080",
        "127.0.0.1",
        "127.1.2.3:80",
        "[::1]",
        "[::1]:8080",
      })
  void shouldNameThisMachine(String authority) {
    assertThat(Loopback.isAuthority(authority)).isTrue();
    assertThat(Loopback.isOrigin("http://" + authority)).isTrue();
    assertThat(Loopback.isOrigin("https://" + authority)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":8080",
        "shop.example",
        "shop.example:8080",
        "localhost.shop.example",
        "127.0.0.1.shop.example",
        "127.0.0.1%shop.example",
        "shop.example@localhost",
        "localhost@shop.example",
        "localhost:8080:8080",
        "localhost:port",
        "localhost:",
        "localhost/",
        "localhost ",
        "localhost, shop.example",
        "::1",
        "[::1",
        "[::2]:8080",
        "[localhost]",
        "0.0.0.0",
        "0177.0.0.1",
        "2130706433",
        "10.0.0.1",
      })
  void shouldNotNameThisMachine(String authority) {
    assertThat(Loopback.isAuthority(authority)).isFalse();
    assertThat(Loopback.isOrigin("http://" + authority)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "null", "localhost", "file://", "ftp://localhost", "http://"})
  void shouldBeNoPageOfThisMachine(String origin) {
    assertThat(Loopback.isOrigin(origin)).isFalse();
  }
}
