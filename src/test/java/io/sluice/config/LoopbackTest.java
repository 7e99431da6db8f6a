package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoopbackTest {

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.8.9.10", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1"})
  void shouldBeLoopbackWhenTheAddressIs(String ip) {
    assertThat(Loopback.isAddress(ip)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"10.0.0.1", "128.0.0.1", "::2", "fe80::1", "::ffff:10.0.0.1", "", "localhost"})
  void shouldNotBeLoopbackWhenTheAddressIsAnother(String ip) {
    assertThat(Loopback.isAddress(ip)).isFalse();
  }

  @Test
  void shouldNotBeLoopbackWhenThereIsNoAddress() {
    assertThat(Loopback.isAddress(null)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.0.0.2", "::1", "localhost", "LocalHost"})
  void shouldBeReachedFromThisMachineOnly(String host) {
    assertThat(Loopback.isHost(host)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::", "10.0.0.1", "localhost.example", "sluice", "127.0.0"})
  void shouldBeReachedFromElsewhereToo(String host) {
    assertThat(Loopback.isHost(host)).isFalse();
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
