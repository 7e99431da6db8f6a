package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.ScriptedStock;
import io.sluice.ledger.Move.Borrow;
import io.sluice.ledger.Move.Part;
import io.sluice.model.BucketId;
import io.sluice.model.Placement.PlacedBucket;
import io.sluice.owner.Lender.Shares;
import io.sluice.stock.StockStore.Snapshot;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many units a bucket gives to those that ask for them. */
class SharesTest {
  private static Borrow borrow(int to, long need, long most) {
    return new Borrow(
        new PlacedBucket(0, new BucketId(7, 0)),
        new PlacedBucket(1, new BucketId(7, to)),
        0,
        need,
        most);
  }

  private static Optional<Snapshot> with(long available) {
    return Optional.of(ScriptedStock.bucketWith(available, available));
  }

  private static List<Long> units(Shares shares) {
    return shares.parts().stream().map(Part::units).toList();
  }

  @Test
  void shouldGiveHalfAndAtMostWhatTheBuyersTakeWhenItSellsItself() {
    // given
    Shares unit = new Shares(100, false, 2);

    // when
    unit.give(1, borrow(1, 1, 1_000), with(0));
    unit.give(2, borrow(2, 1, 10), with(0));

    // then
    assertThat(units(unit)).containsExactly(25L, 10L);
  }

  @Test
  void shouldGiveAllInEvenSharesWhenNobodyBuysThere() {
    // given
    Shares unit = new Shares(100, true, 3);

    // when
    for (int to = 1; to <= 3; to++) {
      unit.give(to, borrow(to, 1, 1), with(0));
    }

    // then
    assertThat(units(unit)).containsExactly(34L, 33L, 33L);
  }

  @Test
  void shouldGiveTheLastUnitToOne() {
    // given
    Shares unit = new Shares(1, false, 2);

    // when
    boolean first = unit.give(1, borrow(1, 1, 9), with(0));
    boolean second = unit.give(2, borrow(2, 1, 9), with(0));

    // then
    assertThat(List.of(first, second)).containsExactly(true, false);
    assertThat(units(unit)).containsExactly(1L);
  }

  /** They are refused until then, and buyers here may be able to wait. */
  @Test
  void shouldGiveAllThatBuyersOfEmptyBucketsWaitFor() {
    // given
    Shares unit = new Shares(100, false, 3);

    // when
    unit.give(1, borrow(1, 70, 10), with(0));
    unit.give(2, borrow(2, 20, 10), with(0));
    boolean last = unit.give(3, borrow(3, 5, 10), with(1));

    // then
    assertThat(units(unit)).containsExactly(70L, 20L);
    assertThat(last).as("gets only of the half").isFalse();
  }

  /** The units of the bucket; what the asker needs, asks for at most, and has. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "what a buyer of several units misses, 8, 5, 1, 2, 3",
    "what makes both equal when the asker has units, 100, 41, 1000, 40, 30",
    "only of the half when the asker has units, 100, 80, 10, 1, 50"
  })
  void shouldGiveOneThatAsks(String what, long has, long need, long most, long asker, long given) {
    // given
    Shares unit = new Shares(has, false, 1);

    // when
    unit.give(1, borrow(1, need, most), with(asker));

    // then
    assertThat(units(unit)).containsExactly(given);
  }

  @Test
  void shouldGiveNothingWhenTheAskerHasUnitsOrIsNotServed() {
    // given
    Shares unit = new Shares(8, true, 2);

    // when
    boolean filled = unit.give(1, borrow(1, 1, 9), with(1));
    boolean away = unit.give(2, borrow(2, 1, 9), Optional.empty());

    // then
    assertThat(List.of(filled, away)).containsOnly(false);
    assertThat(unit.parts()).isEmpty();
  }
}
