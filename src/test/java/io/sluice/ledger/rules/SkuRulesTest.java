package io.sluice.ledger.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.SkuLedger.PutResult;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.Placement;
import io.sluice.model.Sku;
import io.sluice.model.Sku.Membership;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuSettings.Watermarks;
import io.sluice.model.SkuState;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SkuRulesTest {
  private static final long NOW_MS = 1_000;

  @ParameterizedTest
  @CsvSource({
    // state, what unfreeze restores, change, state after, what unfreeze restores after
    "SCHEDULED, SCHEDULED, OPEN, OPEN, OPEN",
    "SCHEDULED, SCHEDULED, CLOSE, CLOSED, CLOSED",
    "SCHEDULED, SCHEDULED, FREEZE, FROZEN, SCHEDULED",
    "SCHEDULED, SCHEDULED, UNFREEZE, SCHEDULED, SCHEDULED",
    "OPEN, OPEN, OPEN, OPEN, OPEN",
    "OPEN, OPEN, CLOSE, CLOSED, CLOSED",
    "OPEN, OPEN, FREEZE, FROZEN, OPEN",
    "CLOSED, CLOSED, OPEN, OPEN, OPEN",
    "CLOSED, CLOSED, FREEZE, FROZEN, CLOSED",
    "FROZEN, CLOSED, FREEZE, FROZEN, CLOSED",
    "FROZEN, SCHEDULED, UNFREEZE, SCHEDULED, SCHEDULED",
    "SCHEDULED, SCHEDULED, END, ENDING, ENDING",
    "OPEN, OPEN, END, ENDING, ENDING",
    "CLOSED, CLOSED, END, ENDING, ENDING",
    "ENDING, ENDING, FREEZE, FROZEN, ENDING",
    "FROZEN, ENDING, UNFREEZE, ENDING, ENDING",
  })
  void shouldMoveTheStateWhenTheOperatorSaysSo(
      SkuState state, SkuState thawed, StateChange change, SkuState after, SkuState thawedAfter) {
    // given
    Sku was = sku(0, 0, state, thawed);

    // when
    Sku changed = SkuRules.change(was, change, NOW_MS);

    // then
    assertThat(changed).isEqualTo(sku(0, 0, after, thawedAfter));
    assertThat(SkuRules.barredByFreeze(was, change)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"OPEN, true", "CLOSE, true", "FREEZE, false", "UNFREEZE, false", "END, true"})
  void shouldBarOpenAndCloseWhenFrozen(StateChange change, boolean barred) {
    // given
    Sku frozen = sku(0, 0, SkuState.FROZEN, SkuState.OPEN);

    // when
    boolean isBarred = SkuRules.barredByFreeze(frozen, change);

    // then
    assertThat(isBarred).isEqualTo(barred);
  }

  @ParameterizedTest
  @CsvSource({
    // state, what unfreeze restores, opens_at before, opens_at after, state after, restores after
    "OPEN, OPEN, 0, 2000, SCHEDULED, SCHEDULED",
    "OPEN, OPEN, 2000, 2000, OPEN, OPEN",
    "OPEN, OPEN, 0, 500, OPEN, OPEN",
    "OPEN, OPEN, 0, 1000, OPEN, OPEN",
    "OPEN, OPEN, 0, 1001, SCHEDULED, SCHEDULED",
    "SCHEDULED, SCHEDULED, 2000, 0, OPEN, OPEN",
    "SCHEDULED, SCHEDULED, 2000, 3000, SCHEDULED, SCHEDULED",
    "CLOSED, CLOSED, 0, 2000, CLOSED, CLOSED",
    "FROZEN, OPEN, 0, 2000, FROZEN, SCHEDULED",
    "FROZEN, CLOSED, 0, 2000, FROZEN, CLOSED",
  })
  void shouldRescheduleWhenOpensAtChanges(
      SkuState state,
      SkuState thawed,
      long before,
      long after,
      SkuState stateAfter,
      SkuState thawedAfter) {
    // given
    Sku was = sku(before, 0, state, thawed);

    // when
    Sku changed = SkuRules.withSettings(was, settings(after, 0), NOW_MS);

    // then
    assertThat(changed).isEqualTo(sku(after, 0, stateAfter, thawedAfter));
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "999, 0", "1000, 0", "1001, 1001"})
  void shouldClearAnEndThatHasPassedWhenOpened(long closesAtMs, long after) {
    // given
    Sku was = sku(0, closesAtMs, SkuState.OPEN, SkuState.OPEN);

    // when
    Sku opened = SkuRules.change(was, StateChange.OPEN, NOW_MS);

    // then
    assertThat(opened.settings().closesAtMs()).isEqualTo(after);
  }

  @ParameterizedTest
  @CsvSource({
    // closes_at, frozen by the sale, change, barred
    "0, false, OPEN, false",
    "1001, false, OPEN, false",
    "1000, false, OPEN, true",
    "0, true, UNFREEZE, true",
    "0, false, UNFREEZE, false",
    "1000, true, CLOSE, false",
    "1000, true, FREEZE, false",
  })
  void shouldLeaveToItsSaleWhatOnlyThatCanChange(
      long closesAtMs, boolean bySale, StateChange change, boolean barred) {
    // given
    Sku alone = sku(0, closesAtMs, SkuState.FROZEN, SkuState.OPEN);
    Sku inSale = inSale(alone, bySale);

    // when
    boolean isBarred = SkuRules.barredBySale(inSale, change, NOW_MS);

    // then
    assertThat(isBarred).isEqualTo(barred);
    assertThat(SkuRules.barredBySale(alone, change, NOW_MS)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "300, 0, 5, 6, true, ",
    "301, 0, 5, 6, true, payment_window_s",
    "300, 1, 5, 6, true, limit_per_user",
    "300, 0, 4, 6, true, opens_at",
    "300, 0, 5, 7, true, closes_at",
    "300, 0, 5, 6, false, ticket",
  })
  void shouldNameTheSettingThatItsSaleHasSet(
      long window, int limit, long opensAt, long closesAt, boolean ticket, String field) {
    // given
    Sku alone = sku(5, 6, SkuState.OPEN, SkuState.OPEN);
    SkuSettings wanted = new SkuSettings(window, limit, opensAt, closesAt, ticket);

    // when
    Optional<PutResult.InSale> inSale = SkuRules.setBySale(inSale(alone, false), wanted);

    // then
    assertThat(inSale.map(PutResult.InSale::field)).isEqualTo(Optional.ofNullable(field));
    assertThat(SkuRules.setBySale(alone, wanted)).isEmpty();
  }

  @Test
  void shouldStayFrozenAloneWhenItIsFrozenOnItsOwn() {
    // given
    Sku withSale = inSale(sku(0, 0, SkuState.FROZEN, SkuState.OPEN), true);

    // when
    Sku alone = SkuRules.change(withSale, StateChange.FREEZE, NOW_MS);

    // then
    assertThat(alone.membership().frozenBySale()).isFalse();
    assertThat(alone.state()).isEqualTo(SkuState.FROZEN);
  }

  private static Sku inSale(Sku sku, boolean frozenBySale) {
    return sku.with(
        sku.settings().with(new Watermarks(50, 10)),
        sku.state(),
        sku.thawedState(),
        new Membership(1, "phones-12", frozenBySale, 1, 0));
  }

  private static Sku sku(long opensAtMs, long closesAtMs, SkuState state, SkuState thawed) {
    return new Sku(
        1,
        10,
        12,
        2,
        Sku.Mode.FAST,
        settings(opensAtMs, closesAtMs),
        state,
        thawed,
        Placement.first(1, 2, 8),
        Sku.Membership.NONE,
        null);
  }

  private static SkuSettings settings(long opensAtMs, long closesAtMs) {
    return new SkuSettings(300, 0, opensAtMs, closesAtMs, true);
  }
}
