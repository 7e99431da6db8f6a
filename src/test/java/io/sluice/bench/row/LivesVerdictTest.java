package io.sluice.bench.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bench.load.LivesHeard;
import io.sluice.bench.site.LifeCounts;
import io.sluice.bench.site.LivesBacklog;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Of 1,000 orders a second for 60 seconds. */
class LivesVerdictTest {
  private static final int PER_S = 1_000;
  private static final Duration LENGTH = Duration.ofSeconds(60);
  private static final LivesBacklog BACKLOG = new LivesBacklog(1_200, 5, 6, 0);

  @Test
  void shouldSayWhatWasLeftWhenTheRateWasHeld() {
    // when
    LivesVerdict unit = verdict(heard(0, 0), 0);

    // then
    assertThat(unit.isHeld()).isTrue();
    assertThat(unit.text())
        .isEqualTo(
            "1,000 a second for 60 s were held; then 1,200 orders in the log, 5 unbooked in Redis,"
                + " 6 rows in the outbox, 0 holds overdue");
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "held",
      value = {
        "600, 0, 0, held",
        "601, 0, 0, '601 orders were not granted'",
        "0, 600, 0, held",
        "0, 601, 0, '601 confirmations were late or failed'",
        "0, 0, 49, held",
        "0, 0, 52, 'the backlog grew by 52 lives a second'",
      })
  void shouldHoldARateOnlyWhenNearlyAllIsDoneAndNothingGrows(
      long notGranted, long notPaid, int growthPerS, @Nullable String fault) {
    // when
    LivesVerdict unit = verdict(heard(notGranted, notPaid), growthPerS);

    // then
    assertThat(unit.isHeld()).isEqualTo(fault == null);
    assertThat(unit.fault().orElse("")).contains(fault == null ? "" : fault);
  }

  @Test
  void shouldAllowForTheBurstsOfAShortAttempt() {
    assertThat(verdict(heard(0, 0), 300, 22).isHeld()).isTrue();
    assertThat(verdict(heard(0, 0), 700, 22).isHeld()).isFalse();
  }

  private static LivesHeard heard(long notGranted, long notPaid) {
    long granted = PER_S * LENGTH.toSeconds() - notGranted;
    return new LivesHeard(granted, 0, notGranted, 0, 0, 0, 0, notPaid, 0, 0, 0);
  }

  private static LivesVerdict verdict(LivesHeard heard, int growthPerS) {
    return verdict(heard, growthPerS, 60);
  }

  private static LivesVerdict verdict(LivesHeard heard, int growthPerS, int endS) {
    LivesTrend trend = new LivesTrend();
    for (int second = 20; second <= endS; second++) {
      long granted = (long) second * PER_S;
      trend.add(second, new LifeCounts(granted, granted - (long) second * growthPerS));
    }
    return new LivesVerdict(PER_S, LENGTH, heard, trend, BACKLOG, null);
  }
}
