package io.sluice.ledger.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SaleSkus;
import io.sluice.ledger.SkuLedger.ChangeResult;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.Sale;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.Sku;
import io.sluice.model.Sku.Membership;
import io.sluice.model.SkuSettings.Watermarks;
import io.sluice.model.SkuState;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SaleRulesTest {
  private static final long NOW_MS = 1_000;
  private static final SaleSku WANTED = SaleSkus.of(7, 10, 2, 1, Watermarks.DEFAULT);

  @ParameterizedTest
  @CsvSource({
    // state, frozen, opens_at, closes_at, change; state after, frozen after, closes_at after,
    // version
    "SCHEDULED, false, 2000, 0, OPEN, OPEN, false, 0, 6",
    "SCHEDULED, false, 2000, 0, CLOSE, CLOSED, false, 0, 6",
    "SCHEDULED, false, 2000, 0, FREEZE, SCHEDULED, true, 0, 6",
    "SCHEDULED, true, 2000, 0, UNFREEZE, SCHEDULED, false, 0, 6",
    "OPEN, false, 0, 2000, OPEN, OPEN, false, 2000, 5",
    "OPEN, false, 0, 1000, OPEN, OPEN, false, 0, 6",
    "OPEN, false, 0, 500, CLOSE, CLOSED, false, 500, 6",
    "CLOSED, false, 0, 0, OPEN, OPEN, false, 0, 6",
    "CLOSED, false, 0, 0, CLOSE, CLOSED, false, 0, 5",
    "OPEN, true, 0, 0, FREEZE, OPEN, true, 0, 5",
    "OPEN, false, 0, 0, UNFREEZE, OPEN, false, 0, 5",
    "CLOSED, false, 2000, 3000, FOLLOW, SCHEDULED, false, 3000, 6",
    "OPEN, false, 2000, 0, FOLLOW, SCHEDULED, false, 0, 6",
    "CLOSED, false, 500, 0, FOLLOW, OPEN, false, 0, 6",
    "CLOSED, false, 500, 900, FOLLOW, OPEN, false, 900, 6",
    "SCHEDULED, false, 2000, 0, FOLLOW, SCHEDULED, false, 0, 5",
    "SCHEDULED, false, 500, 0, FOLLOW, SCHEDULED, false, 0, 5",
    "OPEN, false, 500, 0, FOLLOW, OPEN, false, 0, 5",
    "SCHEDULED, false, 2000, 0, END, ENDING, false, 0, 6",
    "OPEN, false, 0, 500, END, ENDING, false, 500, 6",
    "ENDING, false, 0, 0, END, ENDING, false, 0, 5",
    "ENDED, false, 0, 0, END, ENDED, false, 0, 5",
    "ARCHIVED, false, 0, 0, END, ARCHIVED, false, 0, 5",
  })
  void shouldMoveTheStateWhenTheOperatorSaysSo(
      SkuState state,
      boolean frozen,
      long opensAt,
      long closesAt,
      StateChange change,
      SkuState after,
      boolean frozenAfter,
      long closesAtAfter,
      long version) {
    // given
    Sale was = sale(state, frozen, opensAt, closesAt);

    // when
    Sale changed = SaleRules.change(was, change, NOW_MS);

    // then
    assertThat(SaleRules.barredByFreeze(was, change)).isFalse();
    assertThat(changed.state()).isEqualTo(after);
    assertThat(changed.frozen()).isEqualTo(frozenAfter);
    assertThat(changed.terms().closesAtMs()).isEqualTo(closesAtAfter);
    assertThat(changed.version()).isEqualTo(version);
    assertThat(changed.stateVersion()).isEqualTo(after == state ? 2 : version);
  }

  @ParameterizedTest
  @CsvSource({
    // state, opens_at before, opens_at after; state after
    "SCHEDULED, 2000, 3000, SCHEDULED",
    "SCHEDULED, 2000, 500, OPEN",
    "OPEN, 0, 2000, SCHEDULED",
    "OPEN, 2000, 2000, OPEN",
    "CLOSED, 0, 2000, CLOSED",
  })
  void shouldRescheduleWhenOpensAtChanges(
      SkuState state, long before, long after, SkuState stateAfter) {
    // given
    Sale was = sale(state, false, before, 0);
    NewSale wanted = wanted(new SaleTerms(after, 0, 60, true));

    // when
    Sale changed = SaleRules.changed(was, wanted, NOW_MS);

    // then
    assertThat(changed.state()).isEqualTo(stateAfter);
    assertThat(changed.version()).isEqualTo(6);
    assertThat(changed.stateVersion()).isEqualTo(stateAfter == state ? 2 : 6);
  }

  @ParameterizedTest
  @CsvSource({
    "OPEN, false, END, false, false",
    "OPEN, true, END, true, false",
    "OPEN, true, FOLLOW, true, false",
    "ENDING, false, FOLLOW, false, true",
    "ENDING, false, END, false, false",
    "ENDING, false, OPEN, false, true",
    "ENDED, false, FREEZE, false, true",
    "ARCHIVED, false, UNFREEZE, false, true"
  })
  void shouldBarChangesOfASaleThatEndsAndTheEndOfAFrozenOne(
      SkuState state, boolean frozen, StateChange change, boolean byFreeze, boolean byEnd) {
    // when
    Sale was = sale(state, frozen, 0, 0);

    // then
    assertThat(SaleRules.barredByFreeze(was, change)).isEqualTo(byFreeze);
    assertThat(SaleRules.barredByEnd(was, change)).isEqualTo(byEnd);
  }

  @Test
  void shouldAskForTheArchiveOnceAndOnlyOfAnEndedSale() {
    // given
    Sale ended = SaleRules.ended(sale(SkuState.ENDING, false, 0, 0));

    // when
    Sale archiving = SaleRules.archiving(ended);

    // then
    assertThat(ended.isArchiving()).isFalse();
    assertThat(ended.version()).isEqualTo(5);
    assertThat(archiving.isArchiving()).isTrue();
    assertThat(archiving.version()).isEqualTo(6);
    assertThat(SaleRules.archiving(archiving)).isEqualTo(archiving);
    Sale archived = SaleRules.archived(archiving);
    assertThat(archived.state()).isEqualTo(SkuState.ARCHIVED);
    assertThat(SaleRules.archiving(archived)).isEqualTo(archived);
  }

  @ParameterizedTest
  @CsvSource({
    "OPEN, false, 100, 900, true",
    "SCHEDULED, false, 100, 900, true",
    "CLOSED, false, 100, 900, true",
    "OPEN, false, 101, 900, false",
    "OPEN, true, 100, 900, false",
    "OPEN, false, 0, 900, false",
    "ENDING, false, 100, 900, false",
    "ENDED, false, 100, 900, false"
  })
  void shouldEndByItselfOnlyWhenItWasClosedSoLongAgo(
      SkuState state, boolean frozen, long closesAt, long closedFor, boolean due) {
    assertThat(sale(state, frozen, 0, closesAt).isClosedFor(closedFor, NOW_MS)).isEqualTo(due);
  }

  @Test
  void shouldLeaveTheVersionWhenOnlyTheNameChanges() {
    // given
    Sale was = sale(SkuState.OPEN, false, 0, 0);

    // when
    Sale changed = SaleRules.changed(was, wanted(was.terms()), NOW_MS);

    // then
    assertThat(changed.name()).isEqualTo("another");
    assertThat(changed.version()).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource({
    // the sale: state, frozen, version of its state; the SKU: state, thawed state, frozen by sale,
    // taken;
    // the SKU after it: state, thawed state, frozen by sale
    "OPEN, false, 5, SCHEDULED, SCHEDULED, false, 4, OPEN, OPEN, false",
    "OPEN, false, 2, CLOSED, CLOSED, false, 4, CLOSED, CLOSED, false",
    "OPEN, false, 5, CLOSED, CLOSED, false, 4, OPEN, OPEN, false",
    "OPEN, true, 2, OPEN, OPEN, false, 4, FROZEN, OPEN, true",
    "OPEN, true, 2, CLOSED, CLOSED, false, 4, FROZEN, CLOSED, true",
    "OPEN, true, 2, FROZEN, OPEN, false, 4, FROZEN, OPEN, false",
    "OPEN, false, 2, FROZEN, OPEN, true, 4, OPEN, OPEN, false",
    "OPEN, false, 2, FROZEN, OPEN, false, 4, FROZEN, OPEN, false",
    "CLOSED, false, 5, FROZEN, OPEN, false, 4, FROZEN, CLOSED, false",
    "CLOSED, true, 5, FROZEN, OPEN, true, 1, FROZEN, CLOSED, true",
  })
  void shouldGiveASkuWhatItsSaleSets(
      SkuState saleState,
      boolean saleFrozen,
      long stateVersion,
      SkuState state,
      SkuState thawed,
      boolean bySale,
      long taken,
      SkuState after,
      SkuState thawedAfter,
      boolean bySaleAfter) {
    // given
    Sale sale =
        new Sale(
            "s",
            "n",
            false,
            new SaleTerms(9, 10, 60, true),
            saleState,
            saleFrozen,
            5,
            stateVersion,
            0);
    Sku first = SaleRules.member(sale(SkuState.OPEN, false, 0, 0), WANTED, 4);
    Sku was = first.with(first.settings(), state, thawed, new Membership(1, "s", bySale, taken, 0));

    // when
    Sku now = SaleRules.takeOver(sale, was);

    // then
    assertThat(now.state()).isEqualTo(after);
    assertThat(now.thawedState()).isEqualTo(thawedAfter);
    assertThat(now.membership()).isEqualTo(new Membership(1, "s", bySaleAfter, 5, 0));
    assertThat(now.settings()).isEqualTo(sale.terms().settings(1, Watermarks.DEFAULT));
    assertThat(SaleRules.takeOver(sale, now)).isSameAs(now);
  }

  /** It had to end before it could join that, so the sale it was to follow is over for it. */
  @Test
  void shouldNotFollowASaleThatTheSkuHasLeft() {
    // given
    Sale left = sale(SkuState.SCHEDULED, false, 2_000, 0);
    Sku first = SaleRules.member(left, WANTED, 4);
    Sku closed = first.with(first.settings(), SkuState.CLOSED, SkuState.CLOSED, first.membership());
    Sku inTheNext =
        closed.with(
            first.settings(),
            SkuState.CLOSED,
            SkuState.CLOSED,
            new Membership(2, "the-next", false, 1, 0));

    // when
    ChangeResult follows = SaleRules.follow(left, closed);
    ChangeResult tooLate = SaleRules.follow(left, inTheNext);

    // then
    assertThat(follows).isEqualTo(new ChangeResult.Done(first));
    assertThat(tooLate).isEqualTo(new ChangeResult.IsEnding());
  }

  @ParameterizedTest
  @CsvSource({"false, 8", "true, 1"})
  void shouldPlaceTogetherOnlyWhatSharesCarts(boolean carts, long distinct) {
    // given
    Sale sale = SaleRules.create(new NewSale("s", "n", carts, terms(0, 0), List.of()), NOW_MS);
    SaleSku many = SaleSkus.of(7, 10, 256, 1, Watermarks.DEFAULT);

    // when
    Sku sku = SaleRules.member(sale, many, 8);

    // then
    assertThat(sku.placement().partitions().stream().distinct()).hasSize((int) distinct);
    assertThat(sku.saleNo()).isEqualTo(1);
  }

  private static Sale sale(SkuState state, boolean frozen, long opensAt, long closesAt) {
    return new Sale("s", "n", false, terms(opensAt, closesAt), state, frozen, 5, 2, 0);
  }

  private static SaleTerms terms(long opensAt, long closesAt) {
    return new SaleTerms(opensAt, closesAt, 60, false);
  }

  private static NewSale wanted(SaleTerms terms) {
    return new NewSale("s", "another", false, terms, List.of());
  }
}
