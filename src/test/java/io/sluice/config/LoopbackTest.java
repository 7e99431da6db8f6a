package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoopbackTest {

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, true",
    "127.8.9.10, true",
    "::1, true",
    "0:0:0:0:0:0:0:1, true",
    "::ffff:127.0.0.1, true",
    "10.0.0.1, false",
    "128.0.0.1, false",
    "::2, false",
    "fe80::1, false",
    "::ffff:10.0.0.1, false",
    "'', false",
    "localhost, false",
    ", false",
  })
  void shouldBeLoopbackWhenTheAddressIs(String ip, boolean isLoopback) {
    assertThat(Loopback.isAddress(ip)).isEqualTo(isLoopback);
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, true",
    "127.0.0.2, true",
    "::1, true",
    "localhost, true",
    "LocalHost, true",
    "0.0.0.0, false",
    "::, false",
    "10.0.0.1, false",
    "localhost.example, false",
    "sluice, false",
    "127.0.0, false",
  })
  void shouldBeReachedFromThisMachineOnly(String host, boolean isOnly) {
    assertThat(Loopback.isHost(host)).isEqualTo(isOnly);
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
