package io.sluice.bench.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrdersTest {

  @ParameterizedTest
  @CsvSource({"0, 1", "10, 1", "14000, 1", "16000, 2", "1000000, 20"})
  void shouldFireForAsLongAsTheOrdersLeftTakeInWholeSeconds(long left, long seconds) {
    assertThat(Orders.next(left, 10_000)).isEqualTo(Duration.ofSeconds(seconds));
  }
}
