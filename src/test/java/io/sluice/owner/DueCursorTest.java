package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.DuePage.DuePlace;
import io.sluice.model.BucketId;
import io.sluice.owner.DueScan.DueCursor;
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

  private void looked() {
    unit.next(NOW_MS);
    unit.reached(LAST);
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
    looked();

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
    looked();

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
    Optional<DuePlace> before = unit.walk(NOW_MS + everyMs - 1);
    Optional<DuePlace> begin = unit.walk(NOW_MS + everyMs);
    unit.walked(LAST, true);
    Optional<DuePlace> after = unit.walk(NOW_MS + 2 * everyMs - 1);
    Optional<DuePlace> again = unit.walk(NOW_MS + 2 * everyMs);

    // then
    assertThat(before).isEmpty();
    assertThat(begin).contains(DuePlace.before(NOW_MS - DueCursor.OLDER.toMillis()));
    assertThat(after).isEmpty();
    assertThat(again).contains(DuePlace.before(NOW_MS + everyMs - DueCursor.OLDER.toMillis()));
  }

  /** What is due now does not wait until everything of two minutes is looked at again. */
  @Test
  void shouldKeepItsPlaceWhileItLooksBack() {
    // given
    unit.next(NOW_MS);
    unit.reached(LAST);
    long nowMs = NOW_MS + DueCursor.LOOK_BACK_EVERY.toMillis();

    // when
    unit.walk(nowMs);
    unit.walked(at(NOW_MS - 30_000), false);

    // then
    assertThat(unit.next(nowMs)).isEqualTo(LAST);
    assertThat(unit.walk(nowMs + 1)).contains(at(NOW_MS - 30_000));
  }

  /** Its orders were due after the look-back began, and are the scan's. */
  @Test
  void shouldEndALookBackWhereTheScanWasWhenItBegan() {
    // given
    unit.next(NOW_MS);
    long nowMs = NOW_MS + DueCursor.LOOK_BACK_EVERY.toMillis();

    // when
    unit.walk(nowMs);
    unit.walked(at(nowMs + 1), false);

    // then
    assertThat(unit.walk(nowMs + 2)).isEmpty();
  }

  /** A successor looks at what a look-back has not reached. */
  @Test
  void shouldKeepTheLookBackBeforeWhileOneIsUnderWay() {
    // given
    unit.next(NOW_MS);
    unit.reached(at(NOW_MS + 100));
    long nowMs = NOW_MS + DueCursor.LOOK_BACK_EVERY.toMillis();
    unit.walk(nowMs);

    // when
    unit.walked(at(NOW_MS - 30_000), false);
    long meanwhile = unit.looked().fromMs();
    unit.walked(LAST, true);
    long then = unit.looked().fromMs();

    // then
    assertThat(meanwhile).isEqualTo(NOW_MS - DueCursor.OLDER.toMillis());
    assertThat(then).isEqualTo(nowMs - DueCursor.OLDER.toMillis());
  }

  /** Nothing was looked at in between, and somebody may have booked right after the last look. */
  @Test
  void shouldLookBackBehindTheLastLookWhenTheNextOneComesLate() {
    // given
    looked();

    // when
    Optional<DuePlace> late = unit.walk(NOW_MS + 20 * DueCursor.LOOK_BACK_EVERY.toMillis());

    // then
    assertThat(late).contains(DuePlace.before(NOW_MS - DueCursor.OLDER.toMillis()));
  }

  /** The look-back goes first. */
  private void lookBack(long nowMs) {
    unit.walk(nowMs);
    unit.walked(LAST, true);
  }

  @Test
  void shouldWalkOverAllOnceAnHourWhenTheLedgerMayHaveGoneBack() {
    // given
    unit.next(NOW_MS);
    unit.reached(LAST);
    long allMs = DueCursor.ALL_EVERY.toMillis();

    // when
    lookBack(NOW_MS + allMs - 1);
    Optional<DuePlace> before = unit.walk(NOW_MS + allMs - 1);
    Optional<DuePlace> begin = unit.walk(NOW_MS + allMs);
    unit.walked(at(7), false);
    Optional<DuePlace> then = unit.walk(NOW_MS + allMs + 500);
    unit.walked(LAST, true);
    lookBack(NOW_MS + 2 * allMs - 1);
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

    lookBack(nowMs - 1);

    // when
    unit.walk(nowMs);
    unit.walked(at(7), false);

    // then
    assertThat(unit.next(nowMs)).isEqualTo(LAST);
    assertThat(unit.walk(nowMs)).contains(at(7));
  }

  @Test
  void shouldNotWalkRightAfterItHasBegunWithTheFirstHold() {
    // when
    unit.next(NOW_MS);

    // then
    assertThat(unit.walk(NOW_MS + 1)).isEmpty();
  }
}
