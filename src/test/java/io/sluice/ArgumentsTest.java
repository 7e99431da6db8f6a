package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentsTest {
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-, -, -, -",
        "--config a.yaml --address-file b, a.yaml, b, -",
        "--address-file b --config a.yaml, a.yaml, b, -",
        "--adopt-log --config a.yaml, a.yaml, -, END",
        "--config a.yaml --adopt-log, a.yaml, -, END",
        "--adopt-log=begin, -, -, BEGIN",
      })
  void shouldTakeWhatItIsToldInAnyOrder(
      String line, Path config, Path addressFile, Opening.AdoptedFrom adopted) {
    // when
    Main.Arguments told = Main.Arguments.of(line == null ? new String[0] : line.split(" "));

    // then
    assertThat(told).isEqualTo(new Main.Arguments(config, addressFile, adopted));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--config",
        "a.yaml",
        "--config a.yaml --config b.yaml",
        "--config a.yaml --address-file",
        "--address-file a --address-file b",
        "--port 80",
        "--adopt-log --adopt-log",
        "--adopt-log --adopt-log=begin",
        "--adopt-log=end",
      })
  void shouldNameTheUsageWhenItIsAnythingElse(String line) {
    // when
    Throwable fault = catchThrowable(() -> Main.Arguments.of(line.split(" ")));

    // then
    assertThat(fault)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("usage: ");
  }
}
