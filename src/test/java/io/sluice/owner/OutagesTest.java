package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Reading;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Outages of payments, and by how much they extend the time to pay. */
class OutagesTest {
  private static final long WINDOW_MS = 300_000;
  private static final long T0 = 1_000_000;
  private static final Reading NEVER_AWAY = new Reading(T0, 0, 0);

  @ParameterizedTest
  @CsvSource({
    "500,false,false",
    "20000,false,false",
    "20001,false,true",
    "2000,true,false",
    "2001,true,true",
    "-3600000,true,false",
  })
  void shouldSeeAnOutageWhenItWasSeenOrTookLongerThanAHandOver(
      long gapMs, boolean failed, boolean expected) {
    // given
    Duration min = failed ? Outages.SEEN_MIN : Outages.unseenMin(Duration.ofMillis(500));

    // then
    assertThat(Outages.isOutage(NEVER_AWAY, T0 + gapMs, min)).isEqualTo(expected);
  }

  @Test
  void shouldSeeNoOutageInWhatLiesBetweenTwoLooks() {
    assertThat(Outages.unseenMin(Duration.ofMinutes(1))).isGreaterThan(Duration.ofMinutes(2));
  }

  @Test
  void shouldEndOrdersAsMuchLaterAsTheOutageLasted() {
    // given
    long t1 = T0 + 40_000;

    // when
    Reading after = Outages.after(NEVER_AWAY, t1, WINDOW_MS);

    // then
    assertThat(after).isEqualTo(new Reading(t1, 40_000, t1 + WINDOW_MS));
    assertThat(Outages.dueMs(after, t1)).as("due when the outage began").isEqualTo(T0);
    assertThat(Outages.dueMs(after, t1 + WINDOW_MS - 1)).isEqualTo(T0 + WINDOW_MS - 1);
    assertThat(Outages.dueMs(after, t1 + WINDOW_MS))
        .as("no extension any more")
        .isEqualTo(t1 + WINDOW_MS);
  }

  /** One that was due ten seconds after the outage had 40 s less to pay, not 10 s. */
  @ParameterizedTest
  @CsvSource({"1, 40001", "10000, 50000", "40000, 80000", "200000, 240000", "300000, 340000"})
  void shouldGiveEachOrderOfBeforeAsMuchLonger(long leftMs, long endsMs) {
    // given
    Reading after = Outages.after(NEVER_AWAY, T0 + 40_000, WINDOW_MS);

    // then
    assertThat(Outages.dueMs(after, T0 + endsMs - 1)).isLessThan(T0 + leftMs);
    assertThat(Outages.dueMs(after, T0 + endsMs)).isGreaterThanOrEqualTo(T0 + leftMs);
  }

  /** It was placed during the outage, and is not held longer than its time to pay after it. */
  @Test
  void shouldEndAnOrderOfTheOutageAfterItsWholeTimeToPay() {
    // given
    long t1 = T0 + 172_800_000;
    Reading after = Outages.after(NEVER_AWAY, t1, WINDOW_MS);
    long payBeforeMs = t1 - 1_000 + WINDOW_MS;

    // then
    assertThat(Outages.dueMs(after, t1 + WINDOW_MS - 1)).isLessThan(payBeforeMs);
    assertThat(Outages.dueMs(after, t1 + WINDOW_MS)).isGreaterThan(payBeforeMs);
  }

  @Test
  void shouldShiftNoLongerThanTheLongestTimeToPayWhenTheOutageWasLonger() {
    // given
    long t1 = T0 + 172_800_000;

    // when
    Reading after = Outages.after(NEVER_AWAY, t1, WINDOW_MS);

    // then
    assertThat(Outages.dueMs(after, t1)).isEqualTo(T0);
    assertThat(Outages.dueMs(after, t1 + WINDOW_MS - 1)).isEqualTo(T0 + WINDOW_MS - 1);
    assertThat(Outages.dueMs(after, t1 + WINDOW_MS)).isEqualTo(t1 + WINDOW_MS);
  }

  @Test
  void shouldAddUpWhenAnotherOutageComesBeforeTheFirstIsMadeGood() {
    // given
    long t1 = T0 + 40_000;
    Reading first = Outages.after(NEVER_AWAY, t1, WINDOW_MS);
    Reading between = new Reading(t1 + 10_000, first.shiftMs(), first.shiftUntilMs());
    long t2 = t1 + 10_000 + 5_000;

    // when
    Reading second = Outages.after(between, t2, WINDOW_MS);

    // then
    assertThat(second).isEqualTo(new Reading(t2, 45_000, t2 + WINDOW_MS));
    assertThat(Outages.dueMs(second, t2))
        .as("no order became due in between")
        .isEqualTo(Outages.dueMs(first, t1 + 10_000));
  }

  @Test
  void shouldCountOnlyTheSecondOutageWhenTheFirstWasMadeGood() {
    // given
    Reading madeGood = new Reading(T0, 40_000, T0);

    // when
    Reading after = Outages.after(madeGood, T0 + 5_000, WINDOW_MS);

    // then
    assertThat(after).isEqualTo(new Reading(T0 + 5_000, 5_000, T0 + 5_000 + WINDOW_MS));
  }
}
