package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.History;
import io.sluice.ledger.History.Counts;
import io.sluice.ledger.History.Incident;
import io.sluice.ledger.History.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How a ledger keeps what instances have counted. */
abstract class SaleCountsContract extends SaleScene {
  private static final Counts SOME =
      new Counts(Map.of("sold-out", 7L, "busy", 1L), Map.of(5L, 3L, History.LONGER, 1L));

  @Test
  void shouldKeepIntervalsOfASaleInOrderOfTime() {
    // given
    Interval first = interval(1_000, "a");
    Interval second = interval(2_000, "a");
    Interval alike = interval(2_000, "b");

    // when
    get(history().keep(List.of(alike, second, first)));

    // then
    assertThat(get(history().intervals(saleId, 0, ""))).containsExactly(first, second, alike);
    assertThat(get(history().intervals(saleId, 2_000, "a"))).containsExactly(alike);
    assertThat(get(history().intervals(saleId + "-other", 0, ""))).isEmpty();
  }

  @Test
  void shouldKeepTheFirstWhenAnIntervalIsWrittenAgain() {
    // given
    Interval first = interval(1_000, "a");
    get(history().keep(List.of(first)));

    // when
    get(
        history()
            .keep(List.of(new Interval(saleId, 1_000, "a", 9, new Counts(Map.of(), Map.of())))));

    // then
    assertThat(get(history().intervals(saleId, 0, ""))).containsExactly(first);
  }

  @Test
  void shouldReadIntervalsInPagesWhenThereAreMany() {
    // given
    int all = History.ROWS_MAX + 3;
    List<Interval> many = new ArrayList<>();
    for (int n = 1; n <= all; n++) {
      many.add(interval(n, "a"));
    }
    get(history().keep(many.subList(0, History.ROWS_MAX)));
    get(history().keep(many.subList(History.ROWS_MAX, all)));

    // when
    List<Interval> page = get(history().intervals(saleId, 0, ""));
    List<Interval> rest = get(history().intervals(saleId, History.ROWS_MAX, "a"));

    // then
    assertThat(page).hasSize(History.ROWS_MAX);
    assertThat(rest).hasSize(3);
  }

  @Test
  void shouldKeepIncidentsOfAPeriodUntilTheyAreOld() {
    // given
    Incident old =
        new Incident(
            7_000_000_001L, saleId.substring(0, 8), "gate-full", 7_000_000_002L, 2, "ALARM: x'\"<");
    Incident young =
        new Incident(
            7_000_000_900L, saleId.substring(0, 8), "clock-skew", 7_000_000_900L, 1, "ALARM: y");
    get(history().keepIncidents(List.of(young, old)));
    get(history().keepIncidents(List.of(old)));

    // when
    List<Incident> all = get(history().incidents(7_000_000_000L, 7_000_001_000L));
    while (!get(history().forget(7_000_000_900L))) {
      // Other tests' rows, which are older.
    }

    // then
    assertThat(all).containsExactly(old, young);
    assertThat(get(history().incidents(0, 7_000_001_000L))).containsExactly(young);
    while (!get(history().forget(7_000_001_000L))) {
      // So that this test can run again.
    }
  }

  private Interval interval(long beganMs, String instanceId) {
    return new Interval(saleId, beganMs, instanceId, 10_000, SOME);
  }
}
