package io.sluice.grant;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Move.Borrow;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When an event loop asks for units for a bucket that still has some, and which owner. */
class BorrowingAheadTest extends BorrowingScene {
  /** A thousand a second: half of that in the time in which units may come. */
  @Test
  void shouldLookForOthersWhenTheBucketLastsForAShortTime() {
    // given
    beginWith(100);

    // when
    boolean enough = unit.granted(TARGET, 500);
    boolean few = unit.granted(TARGET, 499);

    // then
    assertThat(enough).isFalse();
    assertThat(few).isTrue();
  }

  /** At the tail each grant would take a unit from a bucket whose buyer may be about to ask. */
  @Test
  void shouldNotLookForOthersWhenLittleIsAsked() {
    // given
    beginWith(3);
    boolean little = unit.granted(TARGET, 0);
    unit.wished(TARGET, 1);

    // when
    boolean more = unit.granted(TARGET, 0);

    // then
    assertThat(little).isFalse();
    assertThat(more).isTrue();
  }

  @Test
  void shouldLookForOthersAgainAfterAPauseOrWhenUnitsHaveCome() {
    // given
    beginWith(100);
    unit.granted(TARGET, 99);

    // when
    boolean within = unit.granted(TARGET, 98);
    boolean come = unit.granted(TARGET, 120);
    time.advance(Borrowing.ASK_EVERY.minusMillis(1));
    boolean withinAgain = unit.granted(TARGET, 97);
    time.advanceMs(1);
    boolean later = unit.granted(TARGET, 96);

    // then
    assertThat(List.of(within, withinAgain)).containsOnly(false);
    assertThat(List.of(come, later)).containsOnly(true);
  }

  @Test
  void shouldAskAheadForMoreThanTheBucketHas() {
    // given
    beginWith(100);
    unit.granted(TARGET, 80);

    // when
    unit.askAhead(SKU, TARGET, List.of(filled(5, 90), filled(6, 8)));

    // then
    assertThat(asked.all())
        .containsExactly(new Borrow(SKU.placed(5), TARGET, SKU.saleNo(), 81, 100));
  }

  /** Each move costs as much as another, and busy buckets have about as much most of the time. */
  @Test
  void shouldAskAheadOnlyABucketThatHasClearlyMore() {
    // given
    beginWith(100);
    unit.wished(SKU.placed(6), 1);
    unit.granted(TARGET, 80);
    unit.askAhead(SKU, TARGET, List.of(filled(6, 118), filled(5, 19)));
    int before = asked.calls.size();

    // when
    unit.askAhead(SKU, TARGET, List.of(filled(6, 119), filled(5, 19)));

    // then
    assertThat(before).isZero();
    assertThat(asked.sources()).containsExactly(6);
  }

  @Test
  void shouldNotAskAheadForAFewUnits() {
    // given
    beginWith(100);
    unit.granted(TARGET, 0);
    unit.askAhead(SKU, TARGET, List.of(filled(5, Borrowing.AHEAD_LEAST - 1)));
    int before = asked.calls.size();

    // when
    unit.askAhead(SKU, TARGET, List.of(filled(5, Borrowing.AHEAD_LEAST)));

    // then
    assertThat(before).isZero();
    assertThat(asked.sources()).containsExactly(5);
  }
}
