package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.sluice.ledger.SaleLedger.Seen;
import io.sluice.ledger.SaleLedger.StateTotals;
import io.sluice.model.Limits;
import io.sluice.model.Sale;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.SkuState;
import io.sluice.monitor.Alarm;
import io.sluice.testkit.process.LogWatch;
import io.sluice.testkit.register.Raises;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is waited for too long is told, and nothing else. */
class StandingEndsTest {
  private static final String SALE_ID = "phones-12";
  private static final long WINDOW_S = 300;

  private final FakeSales sales = new FakeSales();
  private final StandingEnds unit = new StandingEnds(sales);

  // ---- what stands

  @Test
  @Raises(Alarm.SALE_END_STANDS)
  void shouldNameTheSaleAndWhatItWaitsForOnceItHasStood() {
    // given
    see(SkuState.ENDING, skus(SkuState.ENDED, 998), skus(SkuState.FROZEN, 2));
    unit.look(List.of(SALE_ID));
    List<String> early = lookFor(StandingEnds.STANDS_AFTER.minus(StandingEnds.LOOK_EVERY));

    // when
    List<String> lines = lookFor(StandingEnds.LOOK_EVERY);

    // then
    assertThat(early).isEmpty();
    assertThat(lines)
        .singleElement()
        .asString()
        .startsWith("ERROR " + Alarm.SALE_END_STANDS.text())
        .contains("sale=\"phones-12\"", "state=\"ENDING\"", "waitsFor=\"unfreeze\"")
        .contains("skus=\"2\"", "seconds=\"600\"")
        .doesNotContain("cause=");
    assertThat(unit.standsS()).isEqualTo(600);
  }

  @Test
  void shouldSayItAgainAsLongAsItStands() {
    // given
    see(SkuState.ENDING, skus(SkuState.FROZEN, 1));
    unit.look(List.of(SALE_ID));

    // when
    List<String> lines = lookFor(StandingEnds.STANDS_AFTER.multipliedBy(3));

    // then
    assertThat(lines).hasSize(3);
  }

  @ParameterizedTest
  @CsvSource({
    "SCHEDULED, 0, 0, take-back",
    "OPEN, 0, 5, take-back",
    "CLOSED, 0, 0, take-back",
    "FROZEN, 0, 5, unfreeze",
    "ENDING, 0, 0, owner",
    "OPEN, 1, 0, ledger",
    "ENDED, 0, 0, ledger"
  })
  void shouldSayWhatAnEndWaitsFor(SkuState state, long behind, long held, String word) {
    // given
    see(SkuState.ENDING, new StateTotals(state, 1, behind, 10, held, 0));
    unit.look(List.of(SALE_ID));

    // when
    List<String> lines = lookFor(StandingEnds.STANDS_AFTER);

    // then
    assertThat(lines).singleElement().asString().contains("waitsFor=\"" + word + "\"");
  }

  @Test
  void shouldSayWhyItsLastStepFailed() {
    // given
    see(SkuState.ENDING, new StateTotals(SkuState.OPEN, 1, 1, 10, 0, 0));
    unit.look(List.of(SALE_ID));
    unit.failed(SALE_ID, new IllegalStateException("a row is locked"));
    List<String> failing = lookFor(StandingEnds.STANDS_AFTER);
    unit.stepped(SALE_ID);

    // when
    List<String> stepped = lookFor(StandingEnds.STANDS_AFTER);

    // then
    assertThat(failing).singleElement().asString().contains("cause=", "a row is locked");
    assertThat(stepped).singleElement().asString().doesNotContain("cause=");
  }

  @Test
  void shouldNotHideAFrozenSkuBehindOthersThatGoOn() {
    // given
    List<String> lines = new ArrayList<>();

    // when
    for (long held = 1_000; held > 900; held--) {
      see(SkuState.ENDING, skus(SkuState.FROZEN, 1), waiting(50, held));
      lines.addAll(lookFor(StandingEnds.LOOK_EVERY));
    }

    // then
    assertThat(lines).isNotEmpty().allMatch(line -> line.contains("waitsFor=\"unfreeze\""));
  }

  // ---- what may take its time

  @Test
  void shouldWaitForPaymentsAsLongAsTheyMayTake() {
    // given
    Duration allowed = Duration.ofSeconds(WINDOW_S + Limits.EXTENSION_S_MAX);
    see(SkuState.ENDING, waiting(3, 5));
    unit.look(List.of(SALE_ID));
    List<String> early = lookFor(allowed);
    long whileAllowed = unit.standsS();

    // when
    List<String> lines = lookFor(StandingEnds.STANDS_AFTER);

    // then
    assertThat(early).isEmpty();
    assertThat(whileAllowed).isZero();
    assertThat(lines).singleElement().asString().contains("waitsFor=\"payment\"", "held=\"5\"");
  }

  @Test
  void shouldWaitForTheArchiveForHours() {
    // given
    sales.seen = seen(SkuState.ENDED, 2, 1);
    sales.totals = List.of(skus(SkuState.ARCHIVED, 7), skus(SkuState.ENDED, 3));
    unit.look(List.of(SALE_ID));
    List<String> early = lookFor(StandingEnds.EndWait.ARCHIVE_ALLOWED);

    // when
    List<String> lines = lookFor(StandingEnds.STANDS_AFTER);

    // then
    assertThat(early).isEmpty();
    assertThat(lines).singleElement().asString().contains("waitsFor=\"archive\"", "skus=\"3\"");
  }

  @Test
  void shouldBeginAnewWithEachProgress() {
    // given
    List<String> lines = new ArrayList<>();

    // when
    for (int left = 9; left > 0; left--) {
      see(SkuState.ENDING, skus(SkuState.ENDING, left));
      lines.addAll(lookFor(StandingEnds.STANDS_AFTER));
    }

    // then
    assertThat(lines).isEmpty();
  }

  @Test
  void shouldNotCountTheTimeInWhichTheLedgerIsAway() {
    // given
    see(SkuState.ENDING, skus(SkuState.FROZEN, 1));
    unit.look(List.of(SALE_ID));
    sales.readFails = true;
    List<String> away = lookFor(StandingEnds.STANDS_AFTER.multipliedBy(2));
    int whileAway = unit.unfinished();
    sales.readFails = false;

    // when
    List<String> back = lookFor(StandingEnds.LOOK_EVERY);

    // then
    assertThat(away).isEmpty();
    assertThat(whileAway).isEqualTo(1);
    assertThat(back).isEmpty();
    assertThat(unit.standsS()).isEqualTo(StandingEnds.LOOK_EVERY.toSeconds());
  }

  @Test
  void shouldLeaveOutSalesThatHaveOnlyChanged() {
    // given
    see(SkuState.OPEN, new StateTotals(SkuState.OPEN, 1, 1, 10, 0, 0));

    // when
    List<String> lines = lookFor(StandingEnds.STANDS_AFTER.multipliedBy(2));

    // then
    assertThat(lines).isEmpty();
    assertThat(unit.unfinished()).isZero();
  }

  @Test
  void shouldForgetASaleThatIsDone() {
    // given
    see(SkuState.ENDING, skus(SkuState.FROZEN, 1));
    unit.look(List.of(SALE_ID));
    lookFor(StandingEnds.LOOK_EVERY);
    int before = unit.unfinished();

    // when
    unit.look(List.of());

    // then
    assertThat(before).isEqualTo(1);
    assertThat(unit.unfinished()).isZero();
    assertThat(unit.standsS()).isZero();
  }

  // ---- shorthand

  private List<String> lookFor(Duration time) {
    try (LogWatch log = LogWatch.of(StandingEnds.class.getName(), Level.INFO)) {
      for (long look = 0; look < time.dividedBy(StandingEnds.LOOK_EVERY); look++) {
        unit.look(List.of(SALE_ID));
      }
      return log.lines();
    }
  }

  private void see(SkuState state, StateTotals... totals) {
    sales.seen = seen(state, 1, 1);
    sales.totals = List.of(totals);
  }

  private static Optional<Seen> seen(SkuState state, long version, long stateVersion) {
    SaleTerms terms = new SaleTerms(0, 0, WINDOW_S, false);
    return Optional.of(
        new Seen(
            new Sale(SALE_ID, "n", false, terms, state, false, version, stateVersion, 1), 10_000));
  }

  private static StateTotals skus(SkuState state, long count) {
    return new StateTotals(state, count, 0, 10 * count, 0, 0);
  }

  /** SKUs that end, and wait for payments. */
  private static StateTotals waiting(long count, long held) {
    return new StateTotals(SkuState.ENDING, count, 0, 10 * count, held, 0);
  }
}
