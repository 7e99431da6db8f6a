package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SaleLedger.ChangeResult;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SaleLedger.StateTotals;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.BucketId;
import io.sluice.model.IfMatch;
import io.sluice.model.Limits;
import io.sluice.model.Sale;
import io.sluice.model.Sku;
import io.sluice.model.Sku.Membership;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How a ledger changes sales, and how their SKUs follow. */
abstract class SaleStateContract extends SaleScene {
  @Test
  void shouldGiveNewTermsToAllSkusInBoundedStepsWhenTheyChange() {
    // given
    List<SaleSku> many =
        IntStream.range(0, SaleLedger.TAKE_OVER_SKUS_MAX + 10).mapToObj(n -> wanted(1, 1)).toList();
    put(new NewSale(saleId, "many", false, OPEN, many));
    put(new NewSale(saleId, "many", false, LATER, List.of(many.get(0))));
    long behindAtFirst = behind();

    // when
    boolean first = get(sales().takeOver(saleId));
    long behindThen = behind();
    List<String> asked = get(sales().behind("", 100_000));
    takeOverAll();

    // then
    assertThat(behindAtFirst).as("the SKU of the PUT has it").isEqualTo(many.size() - 1);
    assertThat(first).isTrue();
    assertThat(behindThen).isEqualTo(9);
    assertThat(asked).contains(saleId);
    assertThat(get(sales().behind("", 100_000))).doesNotContain(saleId);
    assertThat(get(sales().skusOf(saleId, 0, 1_000)))
        .allMatch(sku -> sku.settings().equals(LATER.settings(2, MARKS)))
        .allMatch(sku -> sku.state() == SkuState.SCHEDULED);
    long last = many.get(many.size() - 1).skuId();
    assertThat(row(new BucketId(last, 0)).version()).isEqualTo(2);
    assertThat(ceilings(last)).isEqualTo(1);
  }

  @Test
  void shouldKeepBucketsWithinTheStepWhenSkusHaveMany() {
    // given
    int buckets = Limits.BUCKETS_MAX;
    int count = SaleLedger.TAKE_OVER_BUCKETS_MAX / buckets + 1;
    List<SaleSku> large =
        IntStream.range(0, count).mapToObj(n -> wanted(buckets, buckets)).toList();
    put(new NewSale(saleId, "large", false, OPEN, large));
    changeSale(saleId, StateChange.CLOSE);

    // when
    get(sales().takeOver(saleId));

    // then
    assertThat(behind()).isEqualTo(1);
    takeOverAll();
    assertThat(behind()).isZero();
  }

  @Test
  void shouldRefuseWhatAFreezeBarsWhenTheSaleIsFrozen() {
    // given
    put(OPEN, wanted(10, 1));
    changeSale(saleId, StateChange.FREEZE);

    // when
    List<ChangeResult> results =
        Stream.of(StateChange.OPEN, StateChange.CLOSE, StateChange.END, StateChange.FOLLOW)
            .map(change -> changeSale(saleId, change))
            .toList();

    // then
    assertThat(results).containsOnly(new ChangeResult.IsFrozen());
    assertThat(changeSale(saleId + "-none", StateChange.OPEN))
        .isEqualTo(new ChangeResult.Unknown());
  }

  @Test
  void shouldChangeNothingWhenTheStateIsThatAlready() {
    // given
    put(OPEN, wanted(10, 1));
    Sale closed = done(changeSale(saleId, StateChange.CLOSE));

    // when
    Sale again = done(changeSale(saleId, StateChange.CLOSE));

    // then
    assertThat(closed.version()).isEqualTo(2);
    assertThat(again).isEqualTo(closed);
  }

  @Test
  void shouldLetNewSkusBeAsTheSaleIsWhenTheyJoinLate() {
    // given
    put(OPEN, wanted(10, 1));
    changeSale(saleId, StateChange.CLOSE);
    changeSale(saleId, StateChange.FREEZE);
    SaleSku late = wanted(10, 1);

    // when
    put(OPEN, late);

    // then
    Sku sku = known(late.skuId());
    assertThat(sku.state()).isEqualTo(SkuState.FROZEN);
    assertThat(sku.thawedState()).isEqualTo(SkuState.CLOSED);
    assertThat(sku.membership()).isEqualTo(new Membership(1, saleId, true, 3, 0));
  }

  @Test
  void shouldLeaveASkuFrozenThatAnAlarmHasFrozenWhenItsSaleIsUnfrozen() {
    // given
    SaleSku before = wanted(10, 1);
    SaleSku meanwhile = wanted(10, 1);
    SaleSku sound = wanted(10, 1);
    put(OPEN, before, meanwhile, sound);
    get(ledger().freezeSku(before.skuId(), "planted"));
    changed(StateChange.FREEZE, sound.skuId());
    get(ledger().freezeSku(meanwhile.skuId(), "planted"));

    // when
    changed(StateChange.UNFREEZE, sound.skuId());

    // then
    assertThat(get(sales().skusOf(saleId, 0, 10)))
        .extracting(Sku::state)
        .containsExactly(SkuState.FROZEN, SkuState.FROZEN, SkuState.OPEN);
  }

  @Test
  void shouldLeaveToTheSaleWhatItHasSet() {
    // given
    SaleSku one = putOne(OPEN, 10, 1);
    NewSku same = new NewSku(one.skuId(), 10, 1, Sku.Mode.FAST, new SkuSettings(60, 2, 0, 0));
    NewSku other = new NewSku(one.skuId(), 10, 1, Sku.Mode.FAST, new SkuSettings(60, 3, 0, 0));

    // when
    SkuLedger.PutResult kept = get(skus().put(same));
    SkuLedger.PutResult refused = get(skus().put(other));
    changed(StateChange.FREEZE, one.skuId());
    SkuLedger.ChangeResult thawed = change(one.skuId(), StateChange.UNFREEZE);

    // then
    assertThat(kept).isInstanceOf(SkuLedger.PutResult.Done.class);
    assertThat(refused).isEqualTo(new SkuLedger.PutResult.InSale(saleId, "limit_per_user"));
    assertThat(thawed).isEqualTo(new SkuLedger.ChangeResult.InSale(saleId));
    assertThat(known(one.skuId()).settings()).isEqualTo(OPEN.settings(2, MARKS));
  }

  @Test
  void shouldKeepASkuClosedOnItsOwnUntilTheSaleOpensOrCloses() {
    // given
    SaleSku one = putOne(OPEN, 10, 1);
    change(one.skuId(), StateChange.CLOSE);

    // when
    SkuState whileFrozen = changed(StateChange.FREEZE, one.skuId());
    SkuState thawed = changed(StateChange.UNFREEZE, one.skuId());
    SkuState closed = changed(StateChange.CLOSE, one.skuId());
    SkuState opened = changed(StateChange.OPEN, one.skuId());

    // then
    assertThat(List.of(whileFrozen, thawed, closed, opened))
        .containsExactly(SkuState.FROZEN, SkuState.CLOSED, SkuState.CLOSED, SkuState.OPEN);
  }

  @Test
  void shouldOpenASkuWithItsSaleWhenItWasOpenedAheadAndClosedAndFollowsAgain() {
    // given
    SaleSku one = putOne(LATER, 10, 2);
    Sku before = known(one.skuId());
    change(one.skuId(), StateChange.OPEN);
    change(one.skuId(), StateChange.CLOSE);

    // when
    SkuLedger.ChangeResult follows = change(one.skuId(), StateChange.FOLLOW);
    SkuLedger.ChangeResult again = change(one.skuId(), StateChange.FOLLOW);

    // then
    assertThat(follows).isEqualTo(new SkuLedger.ChangeResult.Done(before));
    assertThat(again).isEqualTo(follows);
    assertThat(known(one.skuId())).as("SCHEDULED as its sale").isEqualTo(before);
    assertThat(row(new BucketId(one.skuId(), 1)).version()).as("told once each").isEqualTo(4);
    assertThat(ceilings(one.skuId())).isEqualTo(6);
  }

  @Test
  void shouldFollowTheLastChangeOfTheSaleWhenThatHasNotReachedTheSkuYet() {
    // given
    SaleSku one = wanted(10, 1);
    SaleSku two = wanted(10, 1);
    put(LATER, one, two);
    change(one.skuId(), StateChange.CLOSE);
    changeSale(saleId, StateChange.OPEN);

    // when
    change(one.skuId(), StateChange.FOLLOW);
    SkuState opened = known(one.skuId()).state();
    change(one.skuId(), StateChange.CLOSE);
    takeOverAll();

    // then
    assertThat(opened).isEqualTo(SkuState.OPEN);
    assertThat(known(one.skuId()).state()).as("closed later").isEqualTo(SkuState.CLOSED);
    assertThat(known(two.skuId()).state()).isEqualTo(SkuState.OPEN);
  }

  @Test
  void shouldBeThawedWithItsSaleWhenASkuFollowsOneThatIsFrozen() {
    // given
    SaleSku before = wanted(10, 1);
    SaleSku alone = wanted(10, 1);
    put(OPEN, before, alone);
    change(before.skuId(), StateChange.CLOSE);
    change(alone.skuId(), StateChange.FREEZE);
    changed(StateChange.FREEZE, before.skuId());
    change(alone.skuId(), StateChange.UNFREEZE);

    // when
    change(before.skuId(), StateChange.FOLLOW);
    change(alone.skuId(), StateChange.FOLLOW);

    // then
    assertThat(known(before.skuId()).state()).isEqualTo(SkuState.FROZEN);
    assertThat(known(alone.skuId()).state()).isEqualTo(SkuState.FROZEN);
    assertThat(changed(StateChange.UNFREEZE, before.skuId())).isEqualTo(SkuState.OPEN);
    assertThat(known(alone.skuId()).state()).isEqualTo(SkuState.OPEN);
  }

  @Test
  void shouldLeaveASkuAsItIsWhenItCannotFollow() {
    // given
    SaleSku frozen = wanted(10, 1);
    SaleSku ending = wanted(10, 1);
    put(LATER, frozen, ending);
    get(ledger().freezeSku(frozen.skuId(), "planted"));
    change(ending.skuId(), StateChange.END);

    // when
    List<SkuLedger.ChangeResult> results =
        Stream.of(frozen.skuId(), ending.skuId(), newSkuId())
            .map(skuId -> change(skuId, StateChange.FOLLOW))
            .toList();

    // then
    assertThat(results)
        .containsExactly(
            new SkuLedger.ChangeResult.IsFrozen(),
            new SkuLedger.ChangeResult.IsEnding(),
            new SkuLedger.ChangeResult.Unknown());
    assertThat(known(frozen.skuId()).state()).isEqualTo(SkuState.FROZEN);
    assertThat(known(ending.skuId()).state()).isEqualTo(SkuState.ENDING);
  }

  /** If-Match of a change of the state was not looked at. */
  @Test
  void shouldChangeNoStateWhenTheSaleHasChangedSinceItWasRead() {
    // given
    SaleSku one = wanted(10, 1);
    IfMatch old = IfMatch.of(put(LATER, one).sale().tag());
    Sale now = done(get(sales().change(saleId, StateChange.OPEN, old)));
    change(one.skuId(), StateChange.CLOSE);
    IfMatch oldOfSku = IfMatch.of(known(one.skuId()).tag());
    takeOverAll();

    // when
    List<ChangeResult> late =
        Stream.of(StateChange.values())
            .map(change -> get(sales().change(saleId, change, old)))
            .toList();
    ChangeResult archive = get(sales().archive(saleId, old));
    SkuLedger.ChangeResult follow = get(skus().change(one.skuId(), StateChange.FOLLOW, oldOfSku));
    ChangeResult unknown = get(sales().change(saleId + "-none", StateChange.OPEN, IfMatch.EXISTS));

    // then
    assertThat(late).hasSize(6).containsOnly(new ChangeResult.Moved());
    assertThat(archive).isEqualTo(new ChangeResult.Moved());
    assertThat(follow).isEqualTo(new SkuLedger.ChangeResult.Moved());
    assertThat(unknown).isEqualTo(new ChangeResult.Unknown());
    assertThat(get(sales().sale(saleId)).orElseThrow().sale()).isEqualTo(now);
  }

  @Test
  void shouldFollowItsOwnTimesWhenASkuIsInNoSale() {
    // given
    long alone = newSkuId();
    SkuSettings later = new SkuSettings(60, 2, FAR, 0);
    get(skus().put(new NewSku(alone, 10, 1, Sku.Mode.FAST, later)));
    Sku before = known(alone);
    change(alone, StateChange.OPEN);
    change(alone, StateChange.CLOSE);

    // when
    SkuLedger.ChangeResult follows = change(alone, StateChange.FOLLOW);
    change(alone, StateChange.FREEZE);
    SkuLedger.ChangeResult frozen = change(alone, StateChange.FOLLOW);

    // then
    assertThat(follows).isEqualTo(new SkuLedger.ChangeResult.Done(before));
    assertThat(before.state()).isEqualTo(SkuState.SCHEDULED);
    assertThat(frozen).isEqualTo(new SkuLedger.ChangeResult.IsFrozen());
  }

  @Test
  void shouldEndWithItsSaleWhenASkuFollowsOneThatEnds() {
    // given
    SaleSku one = putOne(LATER, 10, 1);
    change(one.skuId(), StateChange.OPEN);
    changeSale(saleId, StateChange.END);

    // when
    change(one.skuId(), StateChange.FOLLOW);
    SkuState follows = known(one.skuId()).state();
    takeOverAll();

    // then
    assertThat(follows).isEqualTo(SkuState.CLOSED);
    assertThat(known(one.skuId()).state()).isEqualTo(SkuState.ENDING);
  }

  @Test
  void shouldHaveTheStateOfItsSaleWhenASkuFollowsWhileThatChanges() {
    // given
    SaleSku one = wanted(10, 4);
    SaleSku two = wanted(10, 1);
    put(LATER, one, two);

    for (int round = 0; round < 10; round++) {
      change(one.skuId(), round % 2 == 0 ? StateChange.OPEN : StateChange.CLOSE);

      // when
      get(
          Future.all(
              skus().change(one.skuId(), StateChange.FOLLOW, IfMatch.NOTHING),
              sales().change(saleId, StateChange.FREEZE, IfMatch.NOTHING),
              sales().takeOver(saleId),
              skus().change(two.skuId(), StateChange.FOLLOW, IfMatch.NOTHING),
              sales().put(sale(LATER, one, two))));
      takeOverAll();
      List<Sku> frozen = List.of(known(one.skuId()), known(two.skuId()));
      changed(StateChange.UNFREEZE, one.skuId());

      // then
      assertThat(frozen)
          .as("round %s", round)
          .allMatch(sku -> sku.state() == SkuState.FROZEN)
          .allMatch(sku -> sku.thawedState() == SkuState.SCHEDULED);
      assertThat(known(one.skuId()).state()).isEqualTo(SkuState.SCHEDULED);
      assertThat(known(two.skuId()).state()).isEqualTo(SkuState.SCHEDULED);
    }
  }

  @Test
  void shouldSumUpTheSkusByTheirStates() {
    // given
    SaleSku one = wanted(10, 3);
    SaleSku two = wanted(5, 1);
    put(OPEN, one, two);
    change(two.skuId(), StateChange.CLOSE);
    BucketId bucket = new BucketId(two.skuId(), 0);
    apply(bucket, reserve(grant(bucket, 1, 2)));

    // when
    List<StateTotals> totals = get(sales().totals(saleId));

    // then
    assertThat(totals)
        .containsExactlyInAnyOrder(
            new StateTotals(SkuState.OPEN, 1, 0, 10, 0, 0),
            new StateTotals(SkuState.CLOSED, 1, 0, 5, 2, 0));
  }

  @Test
  void shouldListSalesInOrder() {
    // given
    put(OPEN);
    get(sales().put(new NewSale(saleId + "b", "B", false, OPEN, List.of())));

    // when
    List<SaleLedger.Seen> page = get(sales().sales(saleId, 1));

    // then
    assertThat(page).extracting(seen -> seen.sale().saleId()).containsExactly(saleId + "b");
    assertThat(page.get(0).nowMs()).isPositive();
    assertThat(page.get(0).state()).isEqualTo(SkuState.OPEN);
    assertThat(get(sales().totals(saleId))).isEmpty();
    assertThat(get(sales().takeOver(saleId + "-none"))).isFalse();
  }
}
