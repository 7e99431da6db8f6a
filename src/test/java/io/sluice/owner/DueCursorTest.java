package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.DuePage.DuePlace;
import io.sluice.ledger.Reading.Looked;
import io.sluice.model.BucketId;
import io.sluice.owner.DueScan.DueCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From where the holds of a partition are looked at, and where a successor begins. */
class DueCursorTest {
  private static final long OLDER_MS = DueCursor.OLDER.toMillis();

  private static final long NOW_MS = 1_000_000_000;
  private static final DuePlace LAST = at(NOW_MS - 10);

  private final DueCursor unit = new DueCursor();

  private static DuePlace at(long payBeforeMs) {
    return at(payBeforeMs, 3);
  }

  private static DuePlace at(long payBeforeMs, long seq) {
    return new DuePlace(payBeforeMs, new BucketId(7, 1), 2, seq);
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
    looked();
    long everyMs = DueCursor.LOOK_BACK_EVERY.toMillis();

    // when
    Optional<DuePlace> before = unit.walk(NOW_MS + everyMs - 1);
    Optional<DuePlace> begin = unit.walk(NOW_MS + everyMs);
    unit.walked(LAST, true);
    Optional<DuePlace> after = unit.walk(NOW_MS + 2 * everyMs - 1);
    Optional<DuePlace> again = unit.walk(NOW_MS + 2 * everyMs);

    // then
    assertThat(before).isEmpty();
    assertThat(begin).contains(DuePlace.before(NOW_MS - OLDER_MS));
    assertThat(after).isEmpty();
    assertThat(again).contains(DuePlace.before(NOW_MS + everyMs - OLDER_MS));
  }

  /** What is due now does not wait until everything of two minutes is looked at again. */
  @Test
  void shouldKeepItsPlaceWhileItLooksBack() {
    // given
    looked();
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
    assertThat(meanwhile).isEqualTo(NOW_MS - OLDER_MS);
    assertThat(then).isEqualTo(nowMs - OLDER_MS);
  }

  /** Nothing was looked at in between, and somebody may have booked right after the last look. */
  @Test
  void shouldLookBackBehindTheLastLookWhenTheNextOneComesLate() {
    // given
    looked();

    // when
    Optional<DuePlace> late = unit.walk(NOW_MS + 20 * DueCursor.LOOK_BACK_EVERY.toMillis());

    // then
    assertThat(late).contains(DuePlace.before(NOW_MS - OLDER_MS));
  }

  /** The look-back goes first. */
  private void lookBack(long nowMs) {
    unit.walk(nowMs);
    unit.walked(LAST, true);
  }

  @Test
  void shouldWalkOverAllOnceAnHourWhenTheLedgerMayHaveGoneBack() {
    // given
    looked();
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

  // ---- where a successor begins

  private static DueCursor successor(Looked kept) {
    DueCursor successor = new DueCursor();
    successor.resume(kept);
    return successor;
  }

  @Test
  void shouldBeginNearThePlaceOfTheOwnerBefore() {
    // given
    looked();

    // when
    DueCursor successor = successor(unit.looked());

    // then
    assertThat(successor.next(NOW_MS + 5_000)).isEqualTo(DuePlace.before(NOW_MS - OLDER_MS));
  }

  @Test
  void shouldBeginWithTheFirstHoldWhenNothingIsKnown() {
    assertThat(successor(Looked.NOTHING).next(NOW_MS)).isEqualTo(DuePlace.FIRST);
    assertThat(unit.looked()).isEqualTo(Looked.NOTHING);
  }

  @Test
  void shouldKeepThePlaceWhenTheNextOwnerHasNotLookedYet() {
    // given
    looked();
    Looked kept = unit.looked();

    // when
    DueCursor second = successor(kept);
    Looked again = second.looked();

    // then
    assertThat(again).isEqualTo(kept);
  }

  @Test
  void shouldBeginAtTheFirstHoldThatWasNotLookedAt() {
    // given
    unit.next(NOW_MS);
    unit.reached(at(NOW_MS - 600_000));

    // when
    long fromMs = unit.looked().fromMs();
    unit.booked(NOW_MS - 700_000);
    long lowerMs = unit.looked().fromMs();

    // then
    assertThat(fromMs).isEqualTo(NOW_MS - 600_000);
    assertThat(lowerMs).isEqualTo(NOW_MS - 700_000);
  }

  /** Bookings go by that clock: some may have earlier deadlines than the place. */
  @Test
  void shouldLookAtAllWhenTheClockWasSetBack() {
    // given
    looked();

    // when
    DueCursor successor = successor(unit.looked());

    // then
    assertThat(successor.next(NOW_MS - OLDER_MS - 1)).isEqualTo(DuePlace.FIRST);
  }

  @Test
  void shouldLookAtAllOnceAnHourThoughTheOwnersChange() {
    // given
    long allMs = DueCursor.ALL_EVERY.toMillis();
    unit.next(NOW_MS);
    unit.next(NOW_MS + allMs - 2);
    unit.reached(at(NOW_MS + allMs - 10));

    // when
    DueCursor second = successor(unit.looked());
    DuePlace before = second.next(NOW_MS + allMs - 1);
    second.reached(at(NOW_MS + allMs - 9));
    Optional<DuePlace> early = second.walk(NOW_MS + allMs - 1);
    DueCursor third = successor(second.looked());
    third.next(NOW_MS + allMs);
    Optional<DuePlace> begun = third.walk(NOW_MS + allMs);
    third.walked(at(5), false);
    DueCursor fourth = successor(third.looked());
    fourth.next(NOW_MS + allMs + 1);

    // then
    assertThat(before).isNotEqualTo(DuePlace.FIRST);
    assertThat(early).isEmpty();
    assertThat(begun).contains(DuePlace.FIRST);
    assertThat(fourth.walk(NOW_MS + allMs + 1)).as("its owner ended").contains(DuePlace.FIRST);
  }

  /** Bookings that are heard of, late or never, in pages, with new owners at any moment. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void shouldNeverKeepAPlaceAboveAHoldThatIsOpenOrBookedLater(long seed) {
    // given
    Sale sale = new Sale(new Random(seed));

    // when
    for (int step = 0; step < 5_000; step++) {
      sale.step();
    }

    // then
    assertThat(sale.missed).isEmpty();
    assertThat(sale.resumed).as("successors that did not begin with the first hold").isPositive();
  }

  /** A partition, its holds (true: open) and its owners. */
  private static final class Sale {
    private static final int PAGE = 7;

    private final Random chance;
    private final NavigableMap<DuePlace, Boolean> holds = new TreeMap<>();
    private final List<String> missed = new ArrayList<>();
    private DueCursor owner = new DueCursor();
    private Looked kept = Looked.NOTHING;
    private long nowMs = NOW_MS;
    private long seq;
    private int resumed;

    Sale(Random chance) {
      this.chance = chance;
    }

    void step() {
      nowMs += chance.nextInt(3_000);
      switch (chance.nextInt(20)) {
        case 0 -> takeOver();
        case 1, 2, 3 -> keep();
        case 4, 5, 6, 7, 8, 9, 10 -> book();
        default -> look();
      }
    }

    private void book() {
      long transactionMs = nowMs - chance.nextInt(10_000);
      long payBeforeMs = transactionMs - 30_000 + chance.nextInt(120_000);
      if (payBeforeMs < kept.fromMs()) {
        missed.add("booked at " + payBeforeMs + " below " + kept);
      }
      holds.put(at(payBeforeMs, ++seq), true);
      if (chance.nextBoolean()) {
        owner.booked(payBeforeMs);
      }
    }

    private void look() {
      DuePlace from = owner.next(nowMs);
      List<DuePlace> page =
          holds.tailMap(from, false).keySet().stream()
              .filter(place -> place.payBeforeMs() <= nowMs)
              .limit(PAGE)
              .toList();
      page.forEach(place -> holds.put(place, false));
      owner.reached(page.isEmpty() ? from : page.get(page.size() - 1));
    }

    private void keep() {
      kept = owner.looked();
      holds.headMap(DuePlace.before(kept.fromMs())).entrySet().stream()
          .filter(hold -> hold.getValue())
          .forEach(hold -> missed.add("open " + hold.getKey() + " below " + kept));
    }

    private void takeOver() {
      owner = successor(kept);
      resumed += owner.next(nowMs).equals(DuePlace.FIRST) ? 0 : 1;
    }
  }
}
