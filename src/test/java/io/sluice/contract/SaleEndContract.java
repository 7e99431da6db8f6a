package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SaleLedger.ChangeResult;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.PutResult;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SaleLedger.StateTotals;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.IfMatch;
import io.sluice.model.Sale;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.SkuState;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How a sale ends with the last of its SKUs, and how it is archived. */
abstract class SaleEndContract extends SaleScene {
  private static final int ORDERS_MAX = 1_000;
  private static final int STEPS_MAX = 1_000;

  private Sale end() {
    return done(changeSale(saleId, StateChange.END));
  }

  private Sale now() {
    return get(sales().sale(saleId)).orElseThrow().sale();
  }

  private boolean isBehind() {
    return get(sales().behind("", 100_000)).contains(saleId);
  }

  /** What the owners do. */
  private void endBuckets(SaleSku... skus) {
    for (SaleSku sku : skus) {
      for (int i = 0; i < sku.buckets(); i++) {
        BucketId bucket = new BucketId(sku.skuId(), i);
        get(ledger().raiseEpoch(own(bucket), bucket, 0));
      }
    }
  }

  private void endAll(SaleSku... skus) {
    end();
    takeOverAll();
    endBuckets(skus);
    takeOverAll();
    assertThat(now().state()).isEqualTo(SkuState.ENDED);
  }

  @Test
  void shouldCloseItsSkusFirstAndEndWithTheLastOfThem() {
    // given
    SaleSku one = wanted(10, 2);
    SaleSku two = wanted(10, 1);
    put(OPEN, one, two);

    // when
    Sale ending = end();
    get(sales().takeOver(saleId));
    List<SkuState> first = Stream.of(one, two).map(sku -> known(sku.skuId()).state()).toList();
    takeOverAll();
    List<SkuState> second = Stream.of(one, two).map(sku -> known(sku.skuId()).state()).toList();
    endBuckets(one);
    takeOverAll();
    SkuState withOneLeft = now().state();
    boolean goesOn = isBehind();
    endBuckets(two);
    takeOverAll();

    // then
    assertThat(ending.state()).isEqualTo(SkuState.ENDING);
    assertThat(first).containsOnly(SkuState.CLOSED);
    assertThat(second).containsOnly(SkuState.ENDING);
    assertThat(withOneLeft).isEqualTo(SkuState.ENDING);
    assertThat(goesOn).isTrue();
    assertThat(now().state()).isEqualTo(SkuState.ENDED);
    assertThat(isBehind()).isFalse();
    assertThat(end()).isEqualTo(now());
  }

  @Test
  void shouldTakeNoChangeOnceItEnds() {
    // given
    SaleSku one = putOne(OPEN, 10, 1);
    end();
    Sale before = now();

    // when
    List<ChangeResult> results =
        Stream.of(StateChange.values())
            .filter(change -> change != StateChange.END)
            .map(change -> changeSale(saleId, change))
            .toList();
    PutResult put = get(sales().put(sale(LATER, one, wanted(1, 1))));

    // then
    assertThat(results).containsOnly(new ChangeResult.IsEnding());
    assertThat(put).isEqualTo(new PutResult.IsEnding());
    assertThat(get(sales().archive(saleId, IfMatch.NOTHING)))
        .isEqualTo(new ChangeResult.NotEnded());
    assertThat(get(sales().archive(saleId + "-none", IfMatch.NOTHING)))
        .isEqualTo(new ChangeResult.Unknown());
    assertThat(now()).isEqualTo(before);
  }

  @Test
  void shouldPassOverSkusThatCannotEndNow() {
    // given
    List<SaleSku> restocking = IntStream.range(0, 3).mapToObj(n -> wanted(10, 1)).toList();
    SaleSku frozen = wanted(10, 1);
    SaleSku sound = wanted(10, 1);
    put(OPEN, Stream.concat(restocking.stream(), Stream.of(frozen, sound)).toArray(SaleSku[]::new));
    restocking.forEach(sku -> restock(sku.skuId(), "r1", -5));
    get(ledger().freezeSku(frozen.skuId(), "planted"));

    // when
    end();
    takeOverAll();
    List<SkuState> states =
        Stream.of(restocking.get(0), frozen, sound).map(sku -> known(sku.skuId()).state()).toList();
    change(frozen.skuId(), StateChange.UNFREEZE);
    takeOverAll();

    // then
    assertThat(states).containsExactly(SkuState.CLOSED, SkuState.FROZEN, SkuState.ENDING);
    assertThat(known(frozen.skuId()).state()).isEqualTo(SkuState.ENDING);
    assertThat(isBehind()).isTrue();
  }

  @Test
  void shouldEndInBoundedStepsWhenItHasManySkus() {
    // given
    List<SaleSku> many =
        IntStream.range(0, SaleLedger.TAKE_OVER_SKUS_MAX + 10).mapToObj(n -> wanted(1, 1)).toList();
    put(new NewSale(saleId, "many", false, OPEN, many));
    end();
    get(sales().takeOver(saleId));
    get(sales().takeOver(saleId));

    // when
    boolean more = get(sales().takeOver(saleId));

    // then
    assertThat(more).isTrue();
    assertThat(get(sales().totals(saleId)))
        .extracting(StateTotals::stored, StateTotals::skus)
        .containsExactlyInAnyOrder(
            tuple(SkuState.CLOSED, 10L),
            tuple(SkuState.ENDING, (long) SaleLedger.TAKE_OVER_SKUS_MAX));
    takeOverAll();
    assertThat(get(sales().totals(saleId))).hasSize(1);
  }

  @Test
  void shouldEndASaleWithoutSkus() {
    // given
    put(OPEN);
    end();

    // when
    get(sales().takeOver(saleId));

    // then
    assertThat(now().state()).isEqualTo(SkuState.ENDED);
  }

  @Test
  void shouldBeginToEndOnlyWhenItWasClosedLongAgo() {
    // given
    SaleSku one = wanted(10, 1);
    put(new SaleTerms(0, 1, 60, false), one);

    // when
    get(sales().endClosed(saleId, FAR));
    SkuState tooEarly = now().state();
    get(ledger().endClosed(one.skuId(), 0));
    SkuState alone = known(one.skuId()).state();
    get(sales().endClosed(saleId, 1_000));
    Sale ending = now();
    get(sales().endClosed(saleId, 1_000));

    // then
    assertThat(tooEarly).isEqualTo(SkuState.OPEN);
    assertThat(alone).as("a SKU of a sale ends with it").isEqualTo(SkuState.OPEN);
    assertThat(ending.state()).isEqualTo(SkuState.ENDING);
    assertThat(now()).isEqualTo(ending);
    get(sales().endClosed(saleId + "-none", 0));
  }

  @Test
  void shouldBeArchivedWithTheLastOfItsSkusAndKeepItsTotals() {
    // given
    SaleSku one = wanted(10, 1);
    SaleSku two = wanted(10, 1);
    put(OPEN, one, two);
    BucketId bucket = new BucketId(one.skuId(), 0);
    Grant grant = grant(bucket, 1, 2);
    apply(bucket, reserve(grant), new Command.Confirm(grant.token(), null));
    endAll(one, two);
    boolean behindAfterItsEnd = isBehind();

    // when
    Sale asked = done(get(sales().archive(saleId, IfMatch.NOTHING)));
    Sale again = done(get(sales().archive(saleId, IfMatch.NOTHING)));
    takeOverAll();
    boolean goesOn = isBehind();
    for (int step = 0; step < STEPS_MAX && get(ledger().archiveNext(ORDERS_MAX)); step++) {
      assertThat(step).isLessThan(STEPS_MAX - 1);
    }
    takeOverAll();

    // then
    assertThat(behindAfterItsEnd).isFalse();
    assertThat(asked.state()).isEqualTo(SkuState.ENDED);
    assertThat(again).isEqualTo(asked);
    assertThat(goesOn).isTrue();
    assertThat(now().state()).isEqualTo(SkuState.ARCHIVED);
    assertThat(isBehind()).isFalse();
    assertThat(get(sales().totals(saleId)))
        .containsExactly(new StateTotals(SkuState.ARCHIVED, 2, 0, 20, 0, 2));
    assertThat(done(get(sales().archive(saleId, IfMatch.NOTHING)))).isEqualTo(now());
    assertThat(end()).isEqualTo(now());
  }
}
