package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Put;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SaleLedger.Joined;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SaleLedger.SkuFault;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.SkuLedger.PutResult;
import io.sluice.ledger.SkuLedger.PutResult.TotalChange;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.BucketId;
import io.sluice.model.IfMatch;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A PUT of another total, before the first order. */
abstract class TotalContract extends AgainScene {
  private static final Set<String> FIELDS =
      Set.of(
          "buckets",
          "mode",
          "payment_window_s",
          "limit_per_user",
          "opens_at",
          "closes_at",
          "ticket",
          "name");

  private Sku sku(long stock, int buckets, Sku.Mode mode) {
    return put(new NewSku(newSkuId(), stock, buckets, mode, SETTINGS));
  }

  private PutResult total(Sku sku, long total) {
    return total(sku, total, IfMatch.NOTHING);
  }

  private PutResult total(Sku sku, long total, IfMatch ifMatch) {
    Put put = new Put(FIELDS, ifMatch, false);
    return get(skus().put(new NewSku(sku.skuId(), total, 1, Sku.Mode.FAST, SETTINGS, put)));
  }

  private static PutResult.Done done(PutResult result) {
    assertThat(result).isInstanceOf(PutResult.Done.class);
    return (PutResult.Done) result;
  }

  /** As an operator's call asks for it. */
  private RestockResult reached(PutResult.Done put) {
    TotalChange restock = put.restock();
    IfMatch ifMatch = IfMatch.of(put.sku().tag());
    return get(skus().restock(put.sku().skuId(), restock.restockId(), restock.qty(), ifMatch));
  }

  /** Redis gives up what owners ask it for. */
  private void takeAll(Sku sku) {
    for (var left = takeIntents(sku); !left.isEmpty(); left = takeIntents(sku)) {
      left.forEach(intent -> finish(intent, 1));
    }
  }

  /** A PUT of fewer units, once it is done. */
  private Sku lowered(Sku sku, long total) {
    PutResult.Done put = done(total(sku, total));
    takeAll(sku);
    assertThat(reached(put)).isInstanceOf(RestockResult.Done.class);
    return known(sku.skuId());
  }

  private static Long stocks(Sku sku) {
    assertThat(sku.firstStock()).isEqualTo(sku.stockNow());
    return sku.stockNow();
  }

  @ParameterizedTest
  @EnumSource
  void shouldAddTheUnitsWhenTheTotalIsHigher(Sku.Mode mode) {
    // given
    Sku sku = sku(9, 2, mode);

    // when
    PutResult.Done put = done(total(sku, 14));
    PutResult again = total(sku, 14);

    // then
    Sku now = known(sku.skuId());
    assertThat(put.sku()).isEqualTo(now);
    assertThat(stocks(now)).isEqualTo(14);
    assertThat(put.changed()).containsExactly("total_stock");
    assertThat(put.created()).isFalse();
    assertThat(allotments(sku)).containsExactly(8L, 6L);
    assertThat(reached(put)).isEqualTo(new RestockResult.Done(now));
    assertThat(again).isEqualTo(new PutResult.Done(now, false));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void shouldTakeUnitsOnceRedisHasGivenThemUp(int buckets) {
    // given
    Sku sku = sku(9, buckets);

    // when
    PutResult.Done put = done(total(sku, 4));
    RestockResult before = reached(put);
    long told = known(sku.skuId()).stockNow();
    takeAll(sku);

    // then
    assertThat(put.changed()).containsExactly("total_stock");
    assertThat(before).isEqualTo(new RestockResult.Working());
    assertThat(told).isEqualTo(9);
    Sku now = known(sku.skuId());
    assertThat(stocks(now)).isEqualTo(4);
    assertThat(reached(put)).isEqualTo(new RestockResult.Done(now));
    assertThat(total(sku, 4)).isEqualTo(new PutResult.Done(now, false));
  }

  @Test
  void shouldTakeUnitsAtOnceWhenTheSkuIsDirect() {
    // given
    Sku sku = sku(9, 2, Sku.Mode.DIRECT);

    // when
    PutResult.Done less = done(total(sku, 8));
    PutResult.Done least = done(total(sku, 0));

    // then
    assertThat(stocks(less.sku())).isEqualTo(8);
    assertThat(stocks(least.sku())).isEqualTo(0);
    assertThat(allotments(sku)).containsExactly(0L, 0L);
    assertThat(reached(less)).isEqualTo(new RestockResult.Done(known(sku.skuId())));
  }

  @ParameterizedTest
  @EnumSource
  void shouldGoDownAndUpAsOftenAsItIsAsked(Sku.Mode mode) {
    // given
    Sku sku = sku(9, 1, mode);

    // when
    for (int round = 0; round < 3; round++) {
      lowered(sku, 4);
      assertThat(stocks(done(total(sku, 9)).sku())).isEqualTo(9);
    }

    // then
    assertThat(allotments(sku)).containsExactly(9L);
  }

  @Test
  void shouldChangeOtherFieldsWithTheTotal() {
    // given
    Sku sku = sku(9, 2);
    SkuSettings limited = new SkuSettings(300, 3, 0, 0);

    // when
    PutResult.Done more =
        done(get(skus().put(new NewSku(sku.skuId(), 10, 2, Sku.Mode.FAST, limited))));
    PutResult.Done less =
        done(get(skus().put(new NewSku(sku.skuId(), 5, 2, Sku.Mode.FAST, SETTINGS))));
    takeAll(sku);

    // then
    assertThat(more.changed()).containsExactly("total_stock", "limit_per_user");
    assertThat(more.sku().settings()).isEqualTo(limited);
    assertThat(less.changed()).containsExactly("total_stock", "limit_per_user");
    assertThat(known(sku.skuId()).settings()).isEqualTo(SETTINGS);
    assertThat(stocks(known(sku.skuId()))).isEqualTo(5);
    assertThat(get(skus().bucketsOf(sku.skuId())))
        .extracting(BucketRow::settings)
        .containsOnly(SETTINGS);
  }

  // ---- twice, and beside others

  @Test
  void shouldCountOnceWhenItIsRepeatedWhileUnitsAreTaken() {
    // given
    Sku sku = sku(9, 1);
    PutResult.Done put = done(total(sku, 4));

    // when
    PutResult same = total(sku, 4);
    PutResult other = total(sku, 7);
    PutResult before = total(sku, 9);
    PutResult withTag = total(sku, 4, IfMatch.of(known(sku.skuId()).tag()));
    takeAll(sku);

    // then
    assertThat(List.of(same, other, before, withTag)).containsOnly(new PutResult.IsRestocking());
    assertThat(stocks(known(sku.skuId()))).isEqualTo(4);
    assertThat(reached(put)).isInstanceOf(RestockResult.Done.class);
  }

  @Test
  void shouldRefuseAnotherTotalForWhatWasReadBefore() {
    // given
    Sku read = sku(9, 1);
    IfMatch tag = IfMatch.of(read.tag());
    total(read, 12, tag);

    // when
    PutResult same = total(read, 12, tag);
    PutResult other = total(read, 15, tag);

    // then
    assertThat(List.of(same, other)).containsOnly(new PutResult.Moved(true));
    assertThat(stocks(known(read.skuId()))).isEqualTo(12);
  }

  @Test
  void shouldKeepARestockWhenAnOldPutIsRepeated() {
    // given
    Sku sku = sku(9, 1);
    restock(sku.skuId(), "r1", 5);

    // when
    PutResult first = total(sku, 9);
    PutResult now = total(sku, 14);
    PutResult other = total(sku, 10);
    PutResult any = total(sku, 10, IfMatch.EXISTS);

    // then
    Sku kept = known(sku.skuId());
    assertThat(kept.stockNow()).isEqualTo(14);
    assertThat(List.of(first, now)).containsOnly(new PutResult.Done(kept, false));
    assertThat(List.of(other, any)).containsOnly(new PutResult.TotalFixed(9, 14, 10, false));
  }

  @ParameterizedTest
  @ValueSource(longs = {9, 10, 20})
  void shouldUndoARestockWhenTheCallerHasSeenIt(long total) {
    // given
    Sku sku = sku(9, 1);
    restock(sku.skuId(), "r1", 5);

    // when
    PutResult.Done put = done(total(sku, total, IfMatch.of(known(sku.skuId()).tag())));
    takeAll(sku);

    // then
    assertThat(put.changed()).containsExactly("total_stock");
    assertThat(stocks(known(sku.skuId()))).isEqualTo(total);
  }

  /** It was asked for while units are taken, and is no part of the total of the PUT. */
  @Test
  void shouldKeepARestockThatComesWhileUnitsAreTaken() {
    // given
    Sku sku = sku(9, 1);
    total(sku, 4);
    restock(sku.skuId(), "r1", 5);

    // when
    takeAll(sku);

    // then
    Sku now = known(sku.skuId());
    assertThat(List.of(now.firstStock(), now.stockNow())).containsExactly(4L, 9L);
    assertThat(total(sku, 4)).isEqualTo(new PutResult.Done(now, false));
  }

  // ---- orders

  @ParameterizedTest
  @ValueSource(longs = {4, 12})
  void shouldRefuseAnotherTotalWhenUnitsAreHeldOrSold(long total) {
    // given
    BucketId bucket = sku(9);
    Sku sku = known(bucket.skuId());
    booked(bucket, 1, 0);

    // when
    PutResult refused = total(sku, total);
    PutResult withTag = total(sku, total, IfMatch.of(sku.tag()));

    // then
    assertThat(List.of(refused, withTag)).containsOnly(new PutResult.TotalFixed(9, 9, total, true));
    assertThat(known(sku.skuId())).isEqualTo(sku);
    assertThat(takeIntents(sku)).isEmpty();
  }

  /** As scripts do that read, and put the whole body once more. */
  @Test
  void shouldKeepTheTotalWhenTheFirstOneIsRepeatedWhileItSells() {
    // given
    BucketId bucket = sku(9);
    restock(bucket.skuId(), "r1", 5);
    booked(bucket, 1, 0);
    Sku sku = known(bucket.skuId());

    // when
    PutResult put = total(sku, 9, IfMatch.of(sku.tag()));

    // then
    assertThat(put).isEqualTo(new PutResult.Done(sku, false));
  }

  /** The ledger does not show yet what Redis has granted. */
  @Test
  void shouldKeepTheTotalWhenRedisHasSoldTheUnits() {
    // given
    Sku sku = sku(10, 2);
    PutResult.Done put = done(total(sku, 1));

    // when
    finish(takeIntents(sku).get(0), 1);
    takeIntents(sku).forEach(this::refuse);

    // then
    Sku now = known(sku.skuId());
    assertThat(reached(put)).isInstanceOf(RestockResult.Refused.class);
    assertThat(stocks(now)).isEqualTo(10);
    assertThat(total(sku, 10)).isEqualTo(new PutResult.Done(now, false));
  }

  @Test
  void shouldTakeAgainWhenItWasRefusedBefore() {
    // given
    Sku sku = sku(10, 1);
    PutResult.Done first = done(total(sku, 1));
    while (!takeIntents(sku).isEmpty()) {
      refuse(takeIntents(sku).get(0));
    }

    // when
    PutResult.Done second = done(total(sku, 1));
    takeAll(sku);

    // then
    assertThat(reached(first)).isInstanceOf(RestockResult.Refused.class);
    assertThat(reached(second)).isInstanceOf(RestockResult.Done.class);
    assertThat(stocks(known(sku.skuId()))).isEqualTo(1);
  }

  // ---- in sales

  @Test
  void shouldCountTheUnitsOfItsSaleAlone() {
    // given
    SaleSku wanted = wanted(6, 1);
    put(OPEN, wanted);
    Sku sku = known(wanted.skuId());
    BucketId bucket = new BucketId(sku.skuId(), 0);
    sold(bucket, 1, 1);
    end(sku.skuId());
    again(wanted);

    // when
    PutResult.Done put = done(total(sku, 2));
    takeIntents(sku).forEach(intent -> finish(intent, row(bucket).epoch()));

    // then
    Sku now = known(sku.skuId());
    assertThat(put.changed()).containsExactly("total_stock");
    assertThat(stocks(now)).isEqualTo(2);
    assertThat(now.totalStock()).isEqualTo(3);
    assertThat(reached(put)).isEqualTo(new RestockResult.Done(now));
  }

  @Test
  void shouldLeaveTheTotalToAPutOfTheSkuAlone() {
    // given
    SaleSku wanted = wanted(6, 1);
    put(OPEN, wanted);
    Sku sku = known(wanted.skuId());
    restock(sku.skuId(), "r1", 2);

    // when
    SaleLedger.PutResult.Done first = put(OPEN, wanted);
    SaleLedger.PutResult.Done now = put(OPEN, with(wanted, 8, 1));
    SaleLedger.PutResult other = get(sales().put(sale(OPEN, with(wanted, 7, 1))));

    // then
    assertThat(List.of(first.skus(), now.skus())).containsOnly(Map.of(wanted.skuId(), Joined.KEPT));
    assertThat(other)
        .isEqualTo(
            new SaleLedger.PutResult.Refused(
                List.of(new SkuFault.Fixed(wanted.skuId(), "total_stock", "6", "7"))));
    assertThat(known(wanted.skuId()).stockNow()).isEqualTo(8);
  }

  @Test
  void shouldChangeNothingOnceTheSkuIsEnding() {
    // given
    Sku sku = sku(9, 1);
    end(sku.skuId());

    // when
    PutResult result = total(sku, 4);

    // then
    assertThat(result).isEqualTo(new PutResult.IsEnding());
    assertThat(restocks(sku.skuId(), OutboxPayload.TAKE)).isEmpty();
  }
}
