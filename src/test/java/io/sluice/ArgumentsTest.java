package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentsTest {
  @Test
  void shouldTakeBothFilesWhenInAnyOrder() {
    // when
    Main.Arguments one = Main.Arguments.of("--config", "a.yaml", "--address-file", "b");
    Main.Arguments other = Main.Arguments.of("--address-file", "b", "--config", "a.yaml");

    // then
    assertThat(one)
        .isEqualTo(new Main.Arguments(Path.of("a.yaml"), Path.of("b"), null))
        .isEqualTo(other);
  }

  @Test
  void shouldTakeTheDefaultsWhenThereIsNothing() {
    // when
    Main.Arguments none = Main.Arguments.of();

    // then
    assertThat(none).isEqualTo(new Main.Arguments(null, null, null));
  }

  @Test
  void shouldAdoptTheLogWhenToldAtAnyPlace() {
    // when
    Main.Arguments one = Main.Arguments.of("--adopt-log", "--config", "a.yaml");
    Main.Arguments other = Main.Arguments.of("--config", "a.yaml", "--adopt-log");

    // then
    assertThat(one)
        .isEqualTo(new Main.Arguments(Path.of("a.yaml"), null, Opening.AdoptedFrom.END))
        .isEqualTo(other);
  }

  @Test
  void shouldReadTheAdoptedLogFromItsBeginWhenToldSo() {
    // when
    Main.Arguments told = Main.Arguments.of("--adopt-log=begin");

    // then
    assertThat(told).isEqualTo(new Main.Arguments(null, null, Opening.AdoptedFrom.BEGIN));
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
