package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Put;
import io.sluice.ledger.Put.Fault;
import io.sluice.ledger.SaleLedger.Joined;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.PutResult;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SaleLedger.SkuFault;
import io.sluice.ledger.SaleSkus;
import io.sluice.model.BucketId;
import io.sluice.model.IfMatch;
import io.sluice.model.Limits;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.Sku;
import io.sluice.model.Sku.Membership;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuSettings.Watermarks;
import io.sluice.model.SkuState;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How a ledger puts sales, and the SKUs in them. */
abstract class SaleLedgerContract extends SaleScene {
  private static final Set<String> FIELDS =
      Set.of("name", "opens_at", "closes_at", "payment_window_s", "carts", "ticket", "skus");

  @Test
  void shouldCreateTheSaleWithItsSkusWhenPutForTheFirstTime() {
    // given
    SaleSku one = wanted(10, 3);
    SaleSku two = wanted(0, 1);

    // when
    PutResult.Done done = put(LATER, one, two);

    // then
    assertThat(done.created()).isTrue();
    assertThat(done.skus())
        .containsExactly(
            Map.entry(one.skuId(), Joined.CREATED), Map.entry(two.skuId(), Joined.CREATED));
    assertThat(get(sales().sale(saleId)).orElseThrow().sale()).isEqualTo(done.sale());
    assertThat(done.sale().state()).isEqualTo(SkuState.SCHEDULED);
    Sku sku = known(one.skuId());
    assertThat(sku.membership()).isEqualTo(new Membership(1, saleId, false, 1, 0));
    assertThat(sku.settings()).isEqualTo(new SkuSettings(60, 2, FAR, FAR + 1_000, true, MARKS));
    assertThat(sku.state()).isEqualTo(SkuState.SCHEDULED);
    assertThat(get(skus().bucketsOf(one.skuId())))
        .extracting(BucketRow::allotted, BucketRow::saleNo)
        .containsExactly(tuple(4L, 1L), tuple(3L, 1L), tuple(3L, 1L));
    assertThat(loads(one.skuId())).hasSize(3);
    assertThat(get(sales().behind("", 100_000))).doesNotContain(saleId);
  }

  @Test
  void shouldChangeNothingWhenPutAgain() {
    // given
    SaleSku one = putOne(OPEN, 10, 2);

    // when
    PutResult.Done again = put(OPEN, one);

    // then
    assertThat(again.created()).isFalse();
    assertThat(again.sale().version()).isEqualTo(1);
    assertThat(again.skus()).containsExactly(Map.entry(one.skuId(), Joined.KEPT));
    assertThat(row(new BucketId(one.skuId(), 0)).version()).isEqualTo(1);
    assertThat(ceilings(one.skuId())).isZero();
  }

  @Test
  void shouldAddSkusToThoseThatAreThereWhenPutWithOthers() {
    // given
    SaleSku one = wanted(10, 1);
    SaleSku two = wanted(10, 1);
    put(OPEN, one);

    // when
    put(OPEN, two);

    // then
    assertThat(members()).containsExactly(one.skuId(), two.skuId());
    assertThat(get(sales().skusOf(saleId, one.skuId(), 10)))
        .extracting(Sku::skuId)
        .containsExactly(two.skuId());
    assertThat(get(sales().skusOf(saleId, 0, 1)))
        .extracting(Sku::skuId)
        .containsExactly(one.skuId());
  }

  @Test
  void shouldPlaceAllSkusTogetherWhenTheyShareCarts() {
    // given
    List<SaleSku> many = IntStream.range(0, 20).mapToObj(n -> wanted(8, 4)).toList();

    // when
    put(new NewSale(saleId, "carts", true, OPEN, many));

    // then
    assertThat(get(sales().skusOf(saleId, 0, 100)).stream().flatMap(this::partitionsOf).distinct())
        .hasSize(1);
  }

  private Stream<Integer> partitionsOf(Sku sku) {
    return sku.placement().partitions().stream();
  }

  @Test
  void shouldWriteNothingWhenASkuIsInUse() {
    // given
    long alone = sku(10, 1).skuId();
    SaleSku fresh = wanted(10, 1);
    SaleSku others = wanted(10, 1);
    String other = saleId + "-other";
    get(sales().put(new NewSale(other, "other", false, OPEN, List.of(others))));
    SaleSku known = SaleSkus.of(alone, 10, 1, 0, Watermarks.DEFAULT);

    // when
    PutResult result = get(sales().put(sale(OPEN, known, fresh, others)));

    // then
    assertThat(result)
        .isEqualTo(
            new PutResult.Refused(
                List.of(
                    new SkuFault.InUse(alone, null), new SkuFault.InUse(others.skuId(), other))));
    assertThat(get(sales().sale(saleId))).isEmpty();
    assertThat(get(skus().sku(fresh.skuId()))).isEmpty();
  }

  @Test
  void shouldWriteNothingWhenAFixedSettingDiffers() {
    // given
    SaleSku one = putOne(OPEN, 10, 2);

    // when
    List<PutResult> results =
        List.of(
            get(sales().put(sale(LATER, SaleSkus.of(one.skuId(), 11, 2, 2, MARKS)))),
            get(sales().put(sale(LATER, SaleSkus.of(one.skuId(), 10, 3, 2, MARKS)))),
            get(sales().put(new NewSale(saleId, "n", true, LATER, List.of()))));

    // then
    assertThat(results)
        .containsExactly(
            new PutResult.Refused(
                List.of(new SkuFault.Fixed(one.skuId(), "total_stock", "10", "11"))),
            new PutResult.Refused(List.of(new SkuFault.Fixed(one.skuId(), "buckets", "2", "3"))),
            new PutResult.CartsFixed(false));
    assertThat(get(sales().sale(saleId)).orElseThrow().sale().terms()).isEqualTo(OPEN);
  }

  /** The mode of a SKU that exists was not looked at. */
  @Test
  void shouldWriteNothingWhenTheModeOfASkuDiffers() {
    // given
    SaleSku fast = wanted(10, 1);
    SaleSku direct = inMode(newSkuId(), Sku.Mode.DIRECT);
    put(OPEN, fast, direct);

    // when
    PutResult toDirect = get(sales().put(sale(LATER, inMode(fast.skuId(), Sku.Mode.DIRECT))));
    PutResult toFast = get(sales().put(sale(LATER, inMode(direct.skuId(), Sku.Mode.FAST))));
    PutResult.Done same = put(OPEN, inMode(fast.skuId(), Sku.Mode.FAST), direct);

    // then
    assertThat(toDirect)
        .isEqualTo(
            new PutResult.Refused(
                List.of(new SkuFault.Fixed(fast.skuId(), "mode", "fast", "direct"))));
    assertThat(toFast)
        .isEqualTo(
            new PutResult.Refused(
                List.of(new SkuFault.Fixed(direct.skuId(), "mode", "direct", "fast"))));
    assertThat(same.skus().values()).containsOnly(Joined.KEPT);
    assertThat(get(sales().sale(saleId)).orElseThrow().sale().terms()).isEqualTo(OPEN);
  }

  private static SaleSku inMode(long skuId, Sku.Mode mode) {
    return SaleSkus.of(skuId, 10, 1, 2, MARKS, mode);
  }

  /** A PUT without closes_at and ticket took them from the sale. */
  @Test
  void shouldKeepWhatAPutLeavesOut() {
    // given
    SaleSku one = putOne(LATER, 10, 2);
    SaleSku low =
        SaleSkus.of(
            one.skuId(),
            0,
            1,
            0,
            new Watermarks(40, 0),
            Sku.Mode.FAST,
            Set.of("total_stock", "buckets", "limit_per_user", "last_percent"));

    // when
    PutResult.Done none = put(leaving(OPEN, List.of()));
    PutResult.Done some =
        put(leaving(new SaleTerms(0, 0, 90, false), List.of(low), "payment_window_s"));

    // then
    assertThat(none.changed()).isEmpty();
    assertThat(none.sale().name()).isEqualTo("Singles' day");
    assertThat(some.sale().terms()).isEqualTo(new SaleTerms(FAR, FAR + 1_000, 90, true));
    assertThat(some.sale().state()).isEqualTo(SkuState.SCHEDULED);
    assertThat(some.changed()).containsExactly("payment_window_s", "skus[0].low_percent");
    Sku now = known(one.skuId());
    assertThat(now.buckets()).isEqualTo(2);
    assertThat(now.settings().limitPerUser()).isEqualTo(2);
    assertThat(now.settings().marks()).isEqualTo(new Watermarks(40, 3));
  }

  @Test
  void shouldNeedSomeFieldsOfWhatIsNew() {
    // given
    SaleSku one =
        SaleSkus.of(newSkuId(), 0, 1, 0, Watermarks.DEFAULT, Sku.Mode.FAST, Set.of("total_stock"));

    // when
    PutResult noName = get(sales().put(leaving(OPEN, List.of(one))));
    PutResult noOpening = get(sales().put(leaving(OPEN, List.of(one), "name", "skus")));
    PutResult noSkus = get(sales().put(leaving(OPEN, List.of(), "name", "opens_at")));
    PutResult noStock = get(sales().put(sale(OPEN, one)));

    // then
    assertThat(List.of(noName, noOpening, noSkus, noStock))
        .containsExactly(
            new PutResult.Invalid("name", Fault.MISSING),
            new PutResult.Invalid("opens_at", Fault.MISSING),
            new PutResult.Invalid("skus", Fault.MISSING),
            new PutResult.Invalid("skus[0].total_stock", Fault.MISSING));
    assertThat(get(sales().sale(saleId))).isEmpty();
  }

  @Test
  void shouldChangeNothingWhenItHasChangedSinceItWasRead() {
    // given
    String read = put(OPEN, wanted(1, 1)).sale().tag();
    String now = put(new NewSale(saleId, "Another name", false, OPEN, List.of())).sale().tag();

    // when
    PutResult late = get(sales().put(onlyIf(saleId, IfMatch.of(read))));
    PutResult absent = get(sales().put(onlyIf(saleId + "-none", IfMatch.EXISTS)));
    PutResult right = get(sales().put(onlyIf(saleId, IfMatch.of(now))));

    // then
    assertThat(late).isEqualTo(new PutResult.Moved(true));
    assertThat(absent).isEqualTo(new PutResult.Moved(false));
    assertThat(right).isInstanceOf(PutResult.Done.class);
  }

  /** A closes_at a year back ended the sale for good. */
  @Test
  void shouldRefuseATimeThatHasPassed() {
    // given
    long nowMs = get(ledger().nowMs());
    put(OPEN, wanted(1, 1));
    SaleTerms closed = new SaleTerms(0, nowMs - 1, 60, false);
    SaleTerms opened = new SaleTerms(nowMs - Put.NOW_MS, 0, 60, false);

    // when
    PutResult closing = get(sales().put(leaving(closed, List.of(), "closes_at")));
    PutResult opening = get(sales().put(leaving(opened, List.of(), "opens_at")));

    // then
    assertThat(closing).isEqualTo(new PutResult.Invalid("closes_at", Fault.PASSED));
    assertThat(opening).isEqualTo(new PutResult.Invalid("opens_at", Fault.PASSED));
  }

  @Test
  void shouldTakeATimeThatHasPassedWhenTheSaleHasIt() {
    // given
    long nowMs = get(ledger().nowMs());
    SaleTerms over = new SaleTerms(nowMs - 120_000, nowMs - 60_000, 60, false);
    NewSale asked = sale(over, wanted(1, 1));
    put(asked);
    Put put = new Put(Set.of(), IfMatch.NOTHING, false);

    // when
    PutResult.Done again = put(new NewSale(saleId, asked.name(), false, over, asked.skus(), put));

    // then
    assertThat(again.changed()).isEmpty();
    assertThat(again.skus().values()).containsExactly(Joined.KEPT);
  }

  @Test
  void shouldTakeSoManyBucketsInACallAlsoWhenTheyAreLeftOut() {
    // given
    List<SaleSku> many = IntStream.range(0, 15).mapToObj(n -> wanted(1, 256)).toList();
    put(new NewSale(saleId, "many", false, OPEN, many));
    put(OPEN, wanted(1, 256));
    List<SaleSku> all =
        get(sales().skusOf(saleId, 0, 100)).stream()
            .map(sku -> SaleSkus.of(sku.skuId(), 1, 1, 3, MARKS, Sku.Mode.FAST, Set.of("buckets")))
            .toList();

    // when
    PutResult result = get(sales().put(sale(OPEN, all.toArray(SaleSku[]::new))));

    // then
    assertThat(result).isEqualTo(new PutResult.Invalid("skus", Fault.TOO_MANY_BUCKETS));
  }

  @Test
  void shouldRefuseAWatermarkAboveTheOneThatStays() {
    // given
    SaleSku one = putOne(OPEN, 10, 1);
    SaleSku low =
        SaleSkus.of(
            one.skuId(), 10, 1, 0, new Watermarks(2, 0), Sku.Mode.FAST, Set.of("last_percent"));

    // when
    PutResult result = get(sales().put(sale(OPEN, low)));

    // then
    assertThat(result).isEqualTo(new PutResult.Invalid("skus[0].low_percent", Fault.ABOVE_LOW));
  }

  /** A PUT that gives only these fields of the sale. */
  private NewSale leaving(SaleTerms terms, List<SaleSku> skus, String... given) {
    Set<String> leaves = new HashSet<>(FIELDS);
    List.of(given).forEach(leaves::remove);
    return new NewSale(saleId, "", false, terms, skus, new Put(leaves, IfMatch.NOTHING, false));
  }

  private static NewSale onlyIf(String saleId, IfMatch ifMatch) {
    return new NewSale(saleId, "", false, OPEN, List.of(), new Put(FIELDS, ifMatch, false));
  }

  @Test
  void shouldRefuseMoreSkusThanTheSaleMayHave() {
    // given
    int max = Limits.SALE_SKUS_WITH_CARTS_MAX;
    List<SaleSku> many = IntStream.range(0, max).mapToObj(n -> wanted(1, 1)).toList();
    put(new NewSale(saleId, "full", true, OPEN, many));

    // when
    PutResult again = get(sales().put(new NewSale(saleId, "full", true, OPEN, many)));
    PutResult more =
        get(sales().put(new NewSale(saleId, "full", true, OPEN, List.of(wanted(1, 1)))));

    // then
    assertThat(again).isInstanceOf(PutResult.Done.class);
    assertThat(more).isEqualTo(new PutResult.Full(max, max + 1));
  }

  @Test
  void shouldChangeWhatIsSetForOneSkuOnly() {
    // given
    SaleSku one = wanted(10, 1);
    SaleSku two = wanted(10, 1);
    put(OPEN, one, two);

    // when
    PutResult.Done done = put(OPEN, SaleSkus.of(one.skuId(), 10, 1, 7, Watermarks.DEFAULT));

    // then
    assertThat(done.skus()).containsExactly(Map.entry(one.skuId(), Joined.CHANGED));
    assertThat(done.sale().version()).isEqualTo(1);
    assertThat(known(one.skuId()).settings()).isEqualTo(OPEN.settings(7, Watermarks.DEFAULT));
    assertThat(known(two.skuId()).settings()).isEqualTo(OPEN.settings(2, MARKS));
  }
}
