package io.sluice.ledger.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Ledger.MarkedStock;
import io.sluice.model.SkuSettings.Watermarks;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a stock crosses a watermark, and that it does so once each way. */
class MarkCrossingsTest {
  private static final Watermarks MARKS = new Watermarks(20, 5);

  @ParameterizedTest(name = "[{index}] {0} of {1}, below {2}: {3}")
  @CsvSource({
    "201, 1000, 0, ''",
    "200, 1000, 0, LOW DOWN 1",
    "51, 1000, 1, ''",
    "50, 1000, 1, LAST DOWN 1",
    "50, 1000, 0, LOW DOWN 1;LAST DOWN 2",
    "0, 1000, 2, ''",
    "59, 1000, 2, ''",
    "60, 1000, 2, LAST UP 1",
    "209, 1000, 1, ''",
    "210, 1000, 1, LOW UP 1",
    "210, 1000, 2, LAST UP 1;LOW UP 2",
    "2, 10, 0, LOW DOWN 1",
    "3, 10, 1, LOW UP 1",
    "0, 0, 0, ''",
    "0, 0, 2, ''",
  })
  void shouldCrossAtThePercentageAndOnePercentAbove(
      long available, long total, int below, String expected) {
    // given
    MarkedStock stock = new MarkedStock(7, total, available, MARKS, below, 0, null);

    // when
    MarkCrossings unit = MarkCrossings.of(stock);

    // then
    assertThat(text(unit)).isEqualTo(expected);
    assertThat(MarkCrossings.of(unit.after()).crossed()).as("once").isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"100, 100, 1000", "20, 0, 0", "20, 20, 200"})
  void shouldCrossBothWhereTheyAreReachedTogether(int low, int last, long available) {
    // given
    MarkedStock stock = new MarkedStock(7, 1_000, available, new Watermarks(low, last), 0, 4, null);

    // when
    MarkCrossings unit = MarkCrossings.of(stock);

    // then
    assertThat(text(unit)).isEqualTo("LOW DOWN 5;LAST DOWN 6");
    assertThat(unit.after().crossings()).isEqualTo(6);
  }

  @Test
  void shouldNameOnlyStocksThatHaveCrossed() {
    // given
    MarkedStock plenty = new MarkedStock(7, 100, 90, MARKS, 0, 0, null);
    MarkedStock low = new MarkedStock(8, 100, 10, MARKS, 0, 0, null);

    // when
    List<MarkCrossings> crossed = MarkCrossings.ofAll(List.of(plenty, low));

    // then
    assertThat(crossed).extracting(each -> each.after().skuId()).containsExactly(8L);
  }

  private static String text(MarkCrossings unit) {
    return String.join(
        ";",
        unit.crossed().stream()
            .map(one -> one.mark() + " " + one.way() + " " + one.version())
            .toList());
  }
}
