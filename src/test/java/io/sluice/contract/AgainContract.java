package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.ArchiveRequests.ArchiveResult;
import io.sluice.ledger.Bookings.Result;
import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.ledger.Buckets.LoadRow;
import io.sluice.ledger.Outbox.OutboxKind;
import io.sluice.ledger.SaleLedger.Joined;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.PutResult;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SaleLedger.SkuFault;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Command.RefundPart.Step;
import io.sluice.model.Grant;
import io.sluice.model.Membership;
import io.sluice.model.OrderStatus;
import io.sluice.model.Reason;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A SKU that has ended joins its next sale: the same one, with other orders and new stock. */
abstract class AgainContract extends SaleScene {
  private static final int ALL = 1_000;

  private BucketRow raise(BucketId bucket) {
    return get(ledger().raiseEpoch(own(bucket), bucket, 0)).orElseThrow();
  }

  private void end(long skuId) {
    get(skus().change(skuId, StateChange.END));
    get(skus().bucketsOf(skuId)).forEach(row -> raise(row.id()));
    assertThat(member(skuId).state()).isEqualTo(SkuState.ENDED);
  }

  private PutResult.Done again(SaleSku wanted) {
    return put(new NewSale(saleId + "-next", "next week", false, OPEN, List.of(wanted)));
  }

  private static SaleSku with(SaleSku sku, long stock, int buckets) {
    return new SaleSku(sku.skuId(), stock, buckets, 2, MARKS);
  }

  private Grant booked(BucketId bucket, int number, long saleNo) {
    Grant grant = grantOfSale(bucket, number, saleNo, row(bucket).epoch());
    read(bucket, reserve(grant));
    return grant;
  }

  private Grant sold(BucketId bucket, int number, long saleNo) {
    Grant grant = booked(bucket, number, saleNo);
    apply(bucket, new Command.Confirm(grant.token(), null));
    return grant;
  }

  private List<Grant> loaded(BucketId bucket) {
    return get(ledger().loadRows(row(bucket), Optional.empty(), ALL)).stream()
        .map(LoadRow::grant)
        .toList();
  }

  @Test
  void shouldBringAnEndedSkuToItsStockWhenItJoinsTheNextSale() {
    // given
    SaleSku wanted = wanted(10, 2);
    put(OPEN, wanted);
    BucketId first = new BucketId(wanted.skuId(), 0);
    sold(first, 1, 1);
    sold(first, 2, 1);
    end(wanted.skuId());
    long loads = loads(wanted.skuId()).size();
    List<BucketRow> before = get(skus().bucketsOf(wanted.skuId()));

    // when
    PutResult.Done done = again(with(wanted, 7, 2));

    // then
    assertThat(done.skus()).containsExactly(Map.entry(wanted.skuId(), Joined.JOINED));
    Sku sku = member(wanted.skuId());
    assertThat(sku.membership()).isEqualTo(new Membership(2, saleId + "-next", false, 1, 2));
    assertThat(sku.state()).isEqualTo(SkuState.OPEN);
    assertThat(List.of(sku.stockNow(), sku.firstStock(), sku.totalStock()))
        .containsExactly(7L, 7L, 9L);
    List<BucketRow> rows = get(skus().bucketsOf(wanted.skuId()));
    assertThat(rows).extracting(BucketRow::total).containsExactly(4L, 3L);
    assertThat(rows).extracting(BucketRow::free).containsExactly(4L, 3L);
    assertThat(rows).extracting(BucketRow::taken).containsOnly(0L);
    assertThat(rows).extracting(BucketRow::base).containsExactly(2L, 0L);
    for (int bucket = 0; bucket < 2; bucket++) {
      assertThat(rows.get(bucket).sinceEpoch()).isEqualTo(before.get(bucket).epoch());
      assertThat(rows.get(bucket).epoch()).isGreaterThan(rows.get(bucket).sinceEpoch());
      assertThat(rows.get(bucket).version()).isGreaterThan(before.get(bucket).version());
    }
    assertThat(rows).extracting(BucketRow::state).containsOnly(SkuState.OPEN);
    assertThat(loads(wanted.skuId()).size()).isGreaterThanOrEqualTo((int) loads);
    assertThat(get(sales().totals(saleId + "-next")))
        .extracting(totals -> List.of(totals.allotted(), totals.held(), totals.sold()))
        .containsExactly(List.of(7L, 0L, 0L));
  }

  @Test
  void shouldChangeNothingWhenTheNextSaleIsPutAgain() {
    // given
    SaleSku wanted = wanted(10, 1);
    put(OPEN, wanted);
    end(wanted.skuId());
    again(wanted);
    BucketRow before = row(new BucketId(wanted.skuId(), 0));

    // when
    PutResult.Done done = again(wanted);

    // then
    assertThat(done.skus()).containsExactly(Map.entry(wanted.skuId(), Joined.KEPT));
    assertThat(row(before.id())).isEqualTo(before);
    assertThat(member(wanted.skuId()).saleNo()).isEqualTo(2);
  }

  @Test
  void shouldKeepBucketsAndStayOutWhileItHasNotEnded() {
    // given
    SaleSku ended = wanted(10, 2);
    SaleSku ending = wanted(10, 1);
    put(OPEN, ended, ending);
    end(ended.skuId());
    get(skus().change(ending.skuId(), StateChange.END));

    // when
    PutResult result =
        get(
            sales()
                .put(
                    new NewSale(
                        saleId + "-next",
                        "next week",
                        false,
                        OPEN,
                        List.of(with(ended, 10, 3), ending))));

    // then
    assertThat(result)
        .isEqualTo(
            new PutResult.Refused(
                List.of(
                    new SkuFault.Fixed(ended.skuId(), "buckets", 2, 3),
                    new SkuFault.InUse(ending.skuId()))));
    assertThat(member(ended.skuId()).state()).isEqualTo(SkuState.ENDED);
  }

  @Test
  void shouldLoadOrdersOfTheCurrentSaleOnly() {
    // given
    SaleSku wanted = wanted(4, 1);
    put(OPEN, wanted);
    BucketId bucket = new BucketId(wanted.skuId(), 0);
    sold(bucket, 1, 1);
    Grant canceled = booked(bucket, 2, 1);
    apply(bucket, new Command.Cancel(canceled.token(), Reason.BUYER));
    apply(
        bucket,
        new Command.Reject(grantOfSale(bucket, 3, 1, row(bucket).epoch()), Reason.UNPROCESSABLE));
    end(wanted.skuId());
    again(wanted);
    BucketRow loading = raise(bucket);

    // when
    Grant now = sold(bucket, 1, 2);
    Grant rejected = grantOfSale(bucket, 4, 2, loading.epoch());
    apply(bucket, new Command.Reject(rejected, Reason.UNPROCESSABLE));

    // then
    assertThat(loaded(bucket))
        .extracting(Grant::token)
        .containsExactly(now.token(), rejected.token());
    assertThat(row(bucket).taken()).isEqualTo(1);
    assertThat(get(ledger().loadRows(row(bucket), Optional.empty(), 1)))
        .extracting(row -> row.grant().token())
        .containsExactly(now.token());
  }

  @Test
  void shouldBookNoGrantOfAnEarlierSale() {
    // given
    SaleSku wanted = wanted(4, 1);
    put(OPEN, wanted);
    BucketId bucket = new BucketId(wanted.skuId(), 0);
    Grant late = grantOfSale(bucket, 1, 1, row(bucket).epoch());
    end(wanted.skuId());
    Grant ofTheEnd = grantOfSale(bucket, 2, 1, row(bucket).epoch());
    again(wanted);

    // when
    Result.Applied applied = read(bucket, reserve(late), reserve(ofTheEnd));

    // then
    assertThat(applied.stale()).containsExactly(late, ofTheEnd);
    assertThat(row(bucket)).extracting(BucketRow::held, BucketRow::free).containsExactly(0L, 4L);
  }

  @Test
  void shouldTakeUnitsOfAnEarlierSaleOutOfTheStockWhenTheyComeBack() {
    // given
    SaleSku wanted = wanted(4, 1);
    put(OPEN, wanted);
    BucketId bucket = new BucketId(wanted.skuId(), 0);
    Grant whole = sold(bucket, 1, 1);
    Grant parts = grantOfSale(bucket, 2, 1, row(bucket).epoch());
    Grant three =
        new Grant(
            parts.token(),
            parts.userId(),
            3,
            4,
            parts.epoch(),
            parts.grantedAtMs(),
            parts.payBeforeMs(),
            1,
            null);
    read(bucket, reserve(three));
    apply(bucket, new Command.Confirm(three.token(), null));
    end(wanted.skuId());
    again(wanted);
    raise(bucket);
    Grant now = sold(bucket, 1, 2);
    BucketRow before = row(bucket);
    int releases = entries(bucket, OutboxKind.RELEASE).size();

    // when
    apply(
        bucket,
        new Command.Refund(whole.token()),
        new Command.RefundPart(three.token(), "r1", 2, Step.REQUEST),
        new Command.RefundPart(three.token(), "r1", 0, Step.COMPLETE));
    apply(bucket, new Command.Refund(three.token()));
    apply(bucket, new Command.Refund(three.token()), new Command.Refund(whole.token()));

    // then
    assertThat(order(whole.token()).status()).isEqualTo(OrderStatus.REFUNDED);
    assertThat(order(three.token()).status()).isEqualTo(OrderStatus.REFUNDED);
    BucketRow after = row(bucket);
    assertThat(after)
        .extracting(BucketRow::allotted, BucketRow::base, BucketRow::sold, BucketRow::version)
        .containsExactly(4L, 0L, 1L, before.version());
    assertThat(List.of(after.total(), after.taken(), after.free()))
        .containsExactly(before.total(), before.taken(), before.free());
    assertThat(member(wanted.skuId()).stockNow()).isEqualTo(4);
    assertThat(entries(bucket, OutboxKind.RELEASE)).hasSize(releases);
    assertThat(
            entries(bucket, OutboxKind.EVENT).stream()
                .filter(event -> event.eventType().equals("STOCK_RETURNED"))
                .map(event -> new JsonObject(event.payload()))
                .filter(event -> event.getLong("sku_id") == wanted.skuId())
                .map(event -> event.getString("order_token") + " " + event.getLong("returned_qty")))
        .containsExactly(whole.token() + " 1", three.token() + " 2", three.token() + " 1");

    // when
    apply(bucket, new Command.Refund(now.token()));

    // then
    assertThat(entries(bucket, OutboxKind.RELEASE)).hasSize(releases + 1);
    assertThat(row(bucket))
        .extracting(BucketRow::allotted, BucketRow::free)
        .containsExactly(4L, 4L);
  }

  @Test
  void shouldKeepUnitsThatComeBackBeforeTheNextSale() {
    // given
    SaleSku wanted = wanted(4, 1);
    put(OPEN, wanted);
    BucketId bucket = new BucketId(wanted.skuId(), 0);
    Grant one = sold(bucket, 1, 1);
    sold(bucket, 2, 1);
    end(wanted.skuId());

    // when
    apply(bucket, new Command.Refund(one.token()));
    again(with(wanted, 2, 1));

    // then
    assertThat(row(bucket))
        .extracting(BucketRow::allotted, BucketRow::base, BucketRow::free)
        .containsExactly(3L, 1L, 2L);
    assertThat(events(bucket)).doesNotContain("STOCK_RETURNED " + one.token());
  }

  @Test
  void shouldBeginTheNextSaleOfAnArchivedSku() {
    // given
    SaleSku wanted = wanted(4, 1);
    put(OPEN, wanted);
    BucketId bucket = new BucketId(wanted.skuId(), 0);
    Grant old = sold(bucket, 1, 1);
    end(wanted.skuId());
    for (int step = 0;
        step < 10 && !(get(skus().archive(wanted.skuId())) instanceof ArchiveResult.Done);
        step++) {
      get(ledger().archiveNext(ALL));
    }

    // when
    again(wanted);
    raise(bucket);
    Grant now = sold(bucket, 1, 2);

    // then
    assertThat(loaded(bucket)).extracting(Grant::token).containsExactly(now.token());
    assertThat(order(old.token()).archived()).isTrue();
    assertThat(order(now.token()).archived()).isFalse();
    assertThat(row(bucket))
        .extracting(BucketRow::total, BucketRow::taken, BucketRow::base)
        .containsExactly(4L, 1L, 1L);
  }

  @Test
  void shouldRestockUpToTheLimitOfTheCurrentSale() {
    // given
    SaleSku wanted = wanted(5, 1);
    put(OPEN, wanted);
    sold(new BucketId(wanted.skuId(), 0), 1, 1);
    end(wanted.skuId());
    again(wanted);

    // when
    RestockResult tooMuch = get(skus().restock(wanted.skuId(), "r1", 1_000_000_000L));
    RestockResult done = get(skus().restock(wanted.skuId(), "r2", 999_999_995L));

    // then
    assertThat(tooMuch).isEqualTo(new RestockResult.TooMuch(5));
    assertThat(done).isInstanceOf(RestockResult.Done.class);
    assertThat(member(wanted.skuId()).stockNow()).isEqualTo(1_000_000_000L);
  }
}
