package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.BucketRow;
import io.sluice.ledger.BucketRows;
import io.sluice.model.BucketId;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.stock.StockStore.Stamp;
import org.junit.jupiter.api.Test;

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

  @Test
  void shouldForgetAllWhenRedisHasWrittenSomething() {
    // given
    unit.at(SEEN);
    unit.add(row(1));

    // when
    unit.at(new Stamp("redis1", "8"));

    // then
    assertThat(unit.count()).isZero();
  }

  /** Its writes are counted from the start, so the count may happen to be the same. */
  @Test
  void shouldForgetAllWhenAnotherProcessAnswers() {
    // given
    unit.at(SEEN);
    unit.add(row(1));

    // when
    unit.at(new Stamp("redis2", "7"));

    // then
    assertThat(unit.count()).isZero();
  }

  /** A server of another make may show no counts. */
  @Test
  void shouldForgetAllEachTimeWhenRedisDoesNotCountItsWrites() {
    // given
    Stamp uncounted = new Stamp("redis1", "");
    unit.at(uncounted);
    unit.add(row(1));

    // when
    unit.at(uncounted);

    // then
    assertThat(unit.count()).isZero();
  }

  private static BucketRow row(long held) {
    return BucketRows.of(
        new BucketId(1, 0), 0, 10, held, 0, 2, 1, SkuState.OPEN, new SkuSettings(300, 0, 0, 0));
  }
}
