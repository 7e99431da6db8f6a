package io.sluice.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackOfficeTest {

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.8.9.10", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1"})
  void shouldBeLoopbackWhenTheAddressIs(String ip) {
    // when
    boolean loopback = BackOffice.isLoopback(ip);

    // then
    assertThat(loopback).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"10.0.0.1", "128.0.0.1", "::2", "fe80::1", "::ffff:10.0.0.1", "", "localhost"})
  void shouldNotBeLoopbackWhenTheAddressIsAnother(String ip) {
    // when
    boolean loopback = BackOffice.isLoopback(ip);

    // then
    assertThat(loopback).isFalse();
  }

  @Test
  void shouldNotBeLoopbackWhenThereIsNoAddress() {
    // when
    boolean loopback = BackOffice.isLoopback(null);

    // then
    assertThat(loopback).isFalse();
  }
}
