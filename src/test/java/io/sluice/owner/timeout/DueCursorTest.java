package io.sluice.owner.timeout;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.OrderReads.DuePlace;
import io.sluice.model.BucketId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** From where the holds of a partition are looked at. */
class DueCursorTest {
  private static final long NOW_MS = 1_000_000_000;
  private static final DuePlace LAST = at(NOW_MS - 10);

  private final DueCursor unit = new DueCursor();

  private static DuePlace at(long payBeforeMs) {
    return new DuePlace(payBeforeMs, new BucketId(7, 1), 2, 3);
  }

  @Test
  void shouldBeginWithTheFirstHoldAndGoOnBehindTheLastOne() {
    // given
    DuePlace first = unit.next(NOW_MS);

    // when
    unit.reached(LAST);

    // then
    assertThat(first).isEqualTo(DuePlace.FIRST);
    assertThat(unit.next(NOW_MS + 1)).isEqualTo(LAST);
  }

  @Test
  void shouldGoBackWhenAnEarlierOrderIsBooked() {
    // given
    unit.next(NOW_MS);
    unit.reached(LAST);

    // when
    unit.booked(NOW_MS + 5);
    DuePlace later = unit.next(NOW_MS + 1);
    unit.booked(NOW_MS - 11);
    unit.booked(NOW_MS + 5);
    DuePlace earlier = unit.next(NOW_MS + 2);

    // then
    assertThat(later).isEqualTo(LAST);
    assertThat(earlier).isEqualTo(DuePlace.before(NOW_MS - 11));
  }

  @Test
  void shouldGoBackWhenOneWithTheSameDeadlineIsBooked() {
    // given
    unit.next(NOW_MS);
    unit.reached(LAST);

    // when
    unit.booked(LAST.payBeforeMs());

    // then
    assertThat(unit.next(NOW_MS)).isEqualTo(DuePlace.before(LAST.payBeforeMs()));
  }

  /** The page was read before the order was committed, and its orders are canceled after that. */
  @Test
  void shouldNotPassAnOrderThatWasBookedWhileThePageWasWorkedOn() {
    // given
    unit.next(NOW_MS);

    // when
    unit.booked(NOW_MS - 50);
    unit.reached(LAST);

    // then
    assertThat(unit.next(NOW_MS + 1)).isEqualTo(DuePlace.before(NOW_MS - 50));
  }

  @Test
  void shouldLookBackOnceAMinuteForWhatItDidNotHearOf() {
    // given
    unit.next(NOW_MS);
    unit.reached(LAST);
    long everyMs = DueCursor.LOOK_BACK_EVERY.toMillis();

    // when
    DuePlace before = unit.next(NOW_MS + everyMs - 1);
    DuePlace then = unit.next(NOW_MS + everyMs);
    unit.reached(LAST);
    DuePlace after = unit.next(NOW_MS + everyMs + 1);

    // then
    assertThat(before).isEqualTo(LAST);
    assertThat(then).isEqualTo(DuePlace.before(NOW_MS - DueCursor.OLDER.toMillis()));
    assertThat(after).isEqualTo(LAST);
  }

  /** Nothing was looked at in between, and somebody may have booked right after the last look. */
  @Test
  void shouldLookBackBehindTheLastLookWhenTheNextOneComesLate() {
    // given
    unit.next(NOW_MS);
    unit.reached(LAST);

    // when
    DuePlace late = unit.next(NOW_MS + 20 * DueCursor.LOOK_BACK_EVERY.toMillis());

    // then
    assertThat(late).isEqualTo(DuePlace.before(NOW_MS - DueCursor.OLDER.toMillis()));
  }

  @Test
  void shouldWalkOverAllOnceAnHourWhenTheLedgerMayHaveGoneBack() {
    // given
    unit.next(NOW_MS);
    unit.reached(LAST);
    long allMs = DueCursor.ALL_EVERY.toMillis();

    // when
    Optional<DuePlace> before = unit.walk(NOW_MS + allMs - 1);
    Optional<DuePlace> begin = unit.walk(NOW_MS + allMs);
    unit.walked(at(7), false);
    Optional<DuePlace> then = unit.walk(NOW_MS + allMs + 500);
    unit.walked(LAST, true);
    Optional<DuePlace> after = unit.walk(NOW_MS + 2 * allMs - 1);
    Optional<DuePlace> again = unit.walk(NOW_MS + 2 * allMs);

    // then
    assertThat(before).isEmpty();
    assertThat(begin).contains(DuePlace.FIRST);
    assertThat(then).contains(at(7));
    assertThat(after).isEmpty();
    assertThat(again).contains(DuePlace.FIRST);
  }

  /** What is due now does not wait until a long ledger is walked over. */
  @Test
  void shouldKeepItsPlaceWhileItWalksOverAll() {
    // given
    unit.next(NOW_MS);
    long nowMs = NOW_MS + DueCursor.ALL_EVERY.toMillis();
    unit.next(nowMs - 1);
    unit.reached(LAST);

    // when
    unit.walk(nowMs);
    unit.walked(at(7), false);

    // then
    assertThat(unit.next(nowMs)).isEqualTo(LAST);
  }

  @Test
  void shouldNotWalkRightAfterItHasBegunWithTheFirstHold() {
    // when
    unit.next(NOW_MS);

    // then
    assertThat(unit.walk(NOW_MS + 1)).isEmpty();
  }
}
