package io.sluice.stock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HashSlotTest {
  @ParameterizedTest
  @CsvSource({"0, 15882", "7, 3821", "63, 12555", "1023, 10169"})
  void shouldBeWhereAClusterPutsTheTag(int partition, int slot) {
    // when
    int own = StockKeys.slot(partition);

    // then
    assertThat(own).isEqualTo(slot);
  }
}
