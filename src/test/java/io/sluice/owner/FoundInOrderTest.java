package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.BucketRow;
import io.sluice.ledger.BucketRows;
import io.sluice.model.BucketId;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.stock.StockStore.Stamp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FoundInOrderTest {
  private static final Stamp SEEN = new Stamp("redis1", "7");

  private final FoundInOrder unit = new FoundInOrder();

  @Test
  void shouldKnowABucketWhileRedisWritesNothing() {
    // given
    unit.at(SEEN);
    unit.add(row(1));

    // when
    unit.at(SEEN);

    // then
    assertThat(unit.has(row(1))).isTrue();
    assertThat(unit.count()).isEqualTo(1);
  }

  @Test
  void shouldNotKnowABucketAnyMoreWhenItsRowHasChanged() {
    // given
    unit.at(SEEN);
    unit.add(row(1));

    // when
    boolean known = unit.has(row(2));

    // then
    assertThat(known).isFalse();
  }

  /**
   * Another process counts its writes from the start, so the count may happen to be the same; a
   * server of another make may show none.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "Redis has written something, redis1, 7, redis1, 8",
    "another process answers, redis1, 7, redis2, 7",
    "Redis does not count its writes, redis1, '', redis1, ''"
  })
  void shouldForgetAllWhen(
      String what, String history, String writes, String thenHistory, String thenWrites) {
    // given
    unit.at(new Stamp(history, writes));
    unit.add(row(1));

    // when
    unit.at(new Stamp(thenHistory, thenWrites));

    // then
    assertThat(unit.count()).isZero();
  }

  private static BucketRow row(long held) {
    return BucketRows.of(
        new BucketId(1, 0), 0, 10, held, 0, 2, 1, SkuState.OPEN, new SkuSettings(300, 0, 0, 0));
  }
}
