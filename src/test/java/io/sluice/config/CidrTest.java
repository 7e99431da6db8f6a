package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CidrTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "/",
        "/8",
        "10.0.0.0/",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.0/08",
        "10.0.0.0/8/8",
        "10.0.0.0/255.0.0.0",
        "10.0.0/8",
        "10.0.0.256/8",
        "10.0.0.0.0/8",
        "010.0.0.1",
        "10.0.0.01",
        "10.0.0.0 /8",
        "::1/129",
        "::1/1000",
        "[::1]/128",
        "fe80::1%eth0/10",
        "1::2::3",
        "g::1",
        "localhost",
        "gateway.example/8",
      })
  void shouldRefuseWhatIsNoRange(String text) {
    assertThatThrownBy(() -> Cidr.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Expected a range like 10.0.0.0/8 or fc00::/7, but got " + text);
  }

  @Test
  void shouldHoldNothingThatIsNoAddress() {
    // given
    List<Cidr> all = List.of(Cidr.parse("0.0.0.0/0"), Cidr.parse("::/0"));

    // when
    Stream<Boolean> held =
        Stream.of("", "localhost", "10.0.0", "[::1]", "%eth0").map(ip -> Cidr.anyContains(all, ip));

    // then
    assertThat(held).containsOnly(false);
    assertThat(Cidr.anyContains(all, null)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "::1, ::, true",
    "::1, 127.0.0.1, false",
    "fd00:1::5, fd00:1::, true",
    "fd00:1::5, fd00:2::, false",
    "fd00::/8, fd00:1::, true",
    "10.0.3.7, 10.0.3.7, true",
    "10.0.3.7, 10.0.3.8, false",
  })
  void shouldHoldTheSourcesOfItsAddresses(String range, String source, boolean expected) {
    // when
    boolean held = Cidr.anyContains(List.of(Cidr.parse(range).ofSources()), source);

    // then
    assertThat(held).isEqualTo(expected);
  }

  @Test
  void shouldHoldWhateverOneOfThemHolds() {
    // given
    List<Cidr> ranges = List.of(Cidr.parse("10.0.0.0/8"), Cidr.parse("::1"));

    // when
    Stream<Boolean> held =
        Stream.of("10.1.1.1", "::1", "11.0.0.1").map(ip -> Cidr.anyContains(ranges, ip));

    // then
    assertThat(held).containsExactly(true, true, false);
    assertThat(Cidr.anyContains(List.of(), "10.1.1.1")).isFalse();
  }
}
