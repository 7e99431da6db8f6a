package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.ledger.SaleLedger.Joined;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.PutResult;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SaleLedger.SkuFault;
import io.sluice.model.BucketId;
import io.sluice.model.Limits;
import io.sluice.model.Membership;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.model.Watermarks;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How a ledger puts sales, and the SKUs in them. */
abstract class SaleLedgerContract extends SaleScene {
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
    Sku sku = member(one.skuId());
    assertThat(sku.membership()).isEqualTo(new Membership(1, saleId, false, 1));
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
    SaleSku one = wanted(10, 2);
    put(OPEN, one);

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
    SaleSku known = new SaleSku(alone, 10, 1, 0, Watermarks.DEFAULT);

    // when
    PutResult result = get(sales().put(sale(OPEN, known, fresh, others)));

    // then
    assertThat(result)
        .isEqualTo(
            new PutResult.Refused(
                List.of(new SkuFault.InUse(alone), new SkuFault.InUse(others.skuId()))));
    assertThat(get(sales().sale(saleId))).isEmpty();
    assertThat(get(skus().sku(fresh.skuId()))).isEmpty();
  }

  @Test
  void shouldWriteNothingWhenAFixedSettingDiffers() {
    // given
    SaleSku one = wanted(10, 2);
    put(OPEN, one);

    // when
    List<PutResult> results =
        List.of(
            get(sales().put(sale(LATER, new SaleSku(one.skuId(), 11, 2, 2, MARKS)))),
            get(sales().put(sale(LATER, new SaleSku(one.skuId(), 10, 3, 2, MARKS)))),
            get(sales().put(new NewSale(saleId, "n", true, LATER, List.of()))));

    // then
    assertThat(results)
        .containsExactly(
            new PutResult.Refused(List.of(new SkuFault.Fixed(one.skuId(), "total_stock", 10, 11))),
            new PutResult.Refused(List.of(new SkuFault.Fixed(one.skuId(), "buckets", 2, 3))),
            new PutResult.CartsFixed(false));
    assertThat(get(sales().sale(saleId)).orElseThrow().sale().terms()).isEqualTo(OPEN);
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
    PutResult.Done done = put(OPEN, new SaleSku(one.skuId(), 10, 1, 7, Watermarks.DEFAULT));

    // then
    assertThat(done.skus()).containsExactly(Map.entry(one.skuId(), Joined.CHANGED));
    assertThat(done.sale().version()).isEqualTo(1);
    assertThat(member(one.skuId()).settings()).isEqualTo(OPEN.settings(7, Watermarks.DEFAULT));
    assertThat(member(two.skuId()).settings()).isEqualTo(OPEN.settings(2, MARKS));
  }
}
