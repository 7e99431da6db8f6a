package io.sluice.grant;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.History;
import io.sluice.ledger.History.Counts;
import io.sluice.ledger.History.Incident;
import io.sluice.ledger.History.Interval;
import io.sluice.ledger.InMemoryCounts;
import io.sluice.ledger.LedgerUnavailableException;
import io.sluice.ledger.UnprocessableException;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.sluice.model.Sku.Membership;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.model.Skus;
import io.sluice.monitor.Alarm;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.helpers.NOPLogger;

class TallyWriterTest {
  private static final long START_MS = 1_796_119_200_000L;

  private final InMemoryCounts ledger = new InMemoryCounts();
  private final SaleTallies tallies = new SaleTallies();
  private long nowMs = START_MS;
  private final TallyWriter unit =
      new TallyWriter(ledger, tallies, "i-1", () -> Instant.ofEpochMilli(nowMs));

  private static Sku sku(String saleId) {
    SkuSettings settings = new SkuSettings(300, 0, 0, 0);
    return Skus.open(7, 10, 1, settings)
        .with(
            settings,
            SkuState.OPEN,
            SkuState.OPEN,
            saleId == null ? Membership.NONE : new Membership(1, saleId, false, 1, 0));
  }

  private SaleTallies.Tally tally() {
    return tallies.of(sku("phones"));
  }

  private void tick(Duration later) {
    nowMs += later.toMillis();
    unit.tick();
  }

  private List<Interval> written() {
    return ledger.intervals("phones", 0, "").result();
  }

  @Test
  void shouldWriteWhatWasCountedInAnIntervalOnce() {
    // given
    tally().refused(Refusal.SOLD_OUT);
    tally().refused(Refusal.SOLD_OUT);
    tally().granted(Duration.ofMillis(5).toNanos());
    tally().granted(Duration.ofMillis(6).toNanos());
    tally().granted(Duration.ofSeconds(9).toNanos());

    // when
    tick(TallyWriter.TICK);
    tick(TallyWriter.TICK);

    // then
    assertThat(written())
        .containsExactly(
            new Interval(
                "phones",
                START_MS,
                "i-1",
                10_000,
                new Counts(Map.of("sold-out", 2L), Map.of(5L, 1L, 7L, 1L, History.LONGER, 1L))));
  }

  @Test
  void shouldCountNothingOutsideOfSales() {
    // when
    SaleTallies.Tally none = tallies.of(sku(null));

    // then
    assertThat(none).isNull();
  }

  @Test
  void shouldWriteFewerRowsTheLongerASaleLasts() {
    // when
    for (int n = 0; n < 24 * 360; n++) {
      tally().refused(Refusal.SOLD_OUT);
      tick(TallyWriter.TICK);
    }

    // then
    List<Long> lengths = written().stream().map(Interval::lengthMs).distinct().toList();
    assertThat(lengths).containsExactly(10_000L, 60_000L);
    assertThat(ledger.intervals("phones", written().get(499).beganMs(), "i-1").result())
        .as("of a whole day")
        .hasSizeLessThan(300);
    assertThat(total()).isEqualTo(24 * 360 - pendingOfLastInterval());
  }

  private long total() {
    List<Interval> second =
        ledger.intervals("phones", written().get(499).beganMs(), "i-1").result();
    return sum(written()) + sum(second);
  }

  private static long sum(List<Interval> rows) {
    return rows.stream().mapToLong(row -> row.counts().refused().get("sold-out")).sum();
  }

  private long pendingOfLastInterval() {
    return tally().take().refused().getOrDefault("sold-out", 0L);
  }

  @Test
  void shouldWriteLaterWhenTheLedgerIsAway() {
    // given
    ledger.failure = new LedgerUnavailableException("planted", null);
    tally().refused(Refusal.SOLD_OUT);
    tick(TallyWriter.TICK);
    tally().refused(Refusal.BUSY);
    tick(TallyWriter.TICK);

    // when
    ledger.failure = null;
    tick(TallyWriter.TICK);

    // then
    assertThat(written())
        .extracting(Interval::beganMs)
        .containsExactly(START_MS, START_MS + 10_000);
  }

  @Test
  void shouldGoOnWhenTheLedgerCanNeverTakeARow() {
    // given
    ledger.failure = new UnprocessableException("planted", null);
    tally().refused(Refusal.SOLD_OUT);
    tick(TallyWriter.TICK);
    ledger.failure = null;

    // when
    tally().refused(Refusal.BUSY);
    tick(TallyWriter.TICK);

    // then
    assertThat(written())
        .extracting(row -> row.counts().refused())
        .containsExactly(Map.of("busy", 1L));
  }

  @Test
  void shouldWriteWhatIsLeftWhenItCloses() {
    // given
    tally().refused(Refusal.SOLD_OUT);
    tick(TallyWriter.TICK);
    tally().refused(Refusal.SOLD_OUT);

    // when
    nowMs += 100;
    unit.close();

    // then
    assertThat(written()).extracting(Interval::lengthMs).containsExactly(10_000L, 100L);
  }

  @Test
  void shouldForgetASaleInWhichNothingHappens() {
    // given
    tally().refused(Refusal.SOLD_OUT);
    tick(TallyWriter.TICK);

    // when
    tick(Duration.ofHours(1));

    // then
    assertThat(tallies.all()).isEmpty();
  }

  @Test
  void shouldNotCountMoreSalesThanItMay() {
    // given
    for (int n = 0; n < SaleTallies.SALES_MAX; n++) {
      tallies.of(sku("sale-" + n));
    }

    // when
    SaleTallies.Tally more = tallies.of(sku("one-more"));

    // then
    assertThat(more).isNull();
    assertThat(tallies.of(sku("sale-3"))).isNotNull();
  }

  @Test
  void shouldKeepAlarmsAtOnceAndThenOnceAMinute() {
    // given
    tick(Duration.ofHours(1));
    tick(Duration.ofHours(1));
    ledger.forget(Long.MAX_VALUE);

    // when
    for (int n = 0; n < 9; n++) {
      Alarm.KEYS_UNREADABLE.raise(NOPLogger.NOP_LOGGER.atError());
      Alarm.KEYS_UNREADABLE.raise(NOPLogger.NOP_LOGGER.atError());
      tick(TallyWriter.TICK);
    }

    // then
    List<Incident> kept = ledger.incidents(0, Long.MAX_VALUE).result();
    assertThat(kept).allMatch(one -> one.alarm().equals("keys-unreadable"));
    assertThat(kept).extracting(Incident::times).containsExactly(2L, 12L);
    assertThat(kept.get(1).lastMs() - kept.get(1).firstMs()).isEqualTo(50_000);
  }
}
