package io.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SamplesTest {

  /** Ranks from a table of the sign test. */
  @ParameterizedTest
  @CsvSource({
    "5, none",
    "6, 1.00 to 6.00",
    "8, 1.00 to 8.00",
    "9, 2.00 to 8.00",
    "15, 4.00 to 12.00",
    "30, 10.00 to 21.00",
  })
  void shouldSayHowSureTheMedianIs(int count, String range) {
    // given
    Samples unit = Samples.of(IntStream.rangeClosed(1, count).mapToObj(i -> (double) i).toList());

    // then
    assertThat(unit.confidence().orElse("none")).isEqualTo(range);
  }
}
