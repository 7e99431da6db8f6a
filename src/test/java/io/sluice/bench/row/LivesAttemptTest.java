package io.sluice.bench.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LivesAttemptTest {

  @ParameterizedTest
  @CsvSource({"3, 1", "12, 2", "60, 10", "600, 10"})
  void shouldLetTheFirstOrdersTimeOutBeforeTheTrendBegins(long seconds, long windowS) {
    assertThat(LivesAttempt.windowS(Duration.ofSeconds(seconds))).isEqualTo(windowS);
  }
}
