package io.sluice.admin.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.ledger.History.Kind;
import org.junit.jupiter.api.Test;

class TimelineTest {
  private static final long BEGIN_MS = 1_796_119_200_000L;
  private static final long DAY_MS = 86_400_000;

  private final Timeline unit = new Timeline();

  @Test
  void shouldTellSecondsWhenTheSaleIsShort() {
    // when
    unit.add(Kind.GRANTED, BEGIN_MS, 3);
    unit.add(Kind.GRANTED, BEGIN_MS + 900, 1);
    unit.add(Kind.PAID, BEGIN_MS + 239_000, 2);

    // then
    assertThat(unit.intervalMs()).isEqualTo(1_000);
    assertThat(unit.toPoints())
        .extracting(
            Timeline.Point::atMs, point -> point.of(Kind.GRANTED), point -> point.of(Kind.PAID))
        .containsExactly(tuple(BEGIN_MS, 4L, 0L), tuple(BEGIN_MS + 239_000, 0L, 2L));
  }

  @Test
  void shouldWidenTheIntervalSoThatThereAreFewPointsWhateverTheLength() {
    // given
    long orders = 0;

    // when
    for (long atMs = BEGIN_MS; atMs < BEGIN_MS + 29 * DAY_MS; atMs += 1_234_567) {
      unit.add(Kind.GRANTED, atMs, 1);
      orders++;
    }

    // then
    assertThat(unit.toPoints()).hasSizeLessThanOrEqualTo(Timeline.POINTS_MAX);
    assertThat(unit.toPoints().stream().mapToLong(point -> point.of(Kind.GRANTED)).sum())
        .isEqualTo(orders);
    assertThat(unit.intervalMs()).isEqualTo(10_800_000);
    assertThat(unit.toPoints()).allMatch(point -> point.atMs() % unit.intervalMs() == 0);
  }

  @Test
  void shouldWidenWhenSomethingEarlierComesLater() {
    // when
    unit.add(Kind.GRANTED, BEGIN_MS, 1);
    unit.add(Kind.GRANTED, BEGIN_MS - 240_000, 1);

    // then
    assertThat(unit.intervalMs()).isEqualTo(2_000);
    assertThat(unit.fromMs()).isEqualTo(BEGIN_MS - 240_000);
  }
}
