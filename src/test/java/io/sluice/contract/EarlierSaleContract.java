package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.MarkedStock;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.SaleLedger.Joined;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.PutResult;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SkuLedger.ArchiveResult;
import io.sluice.ledger.Step.Result;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Command.RefundPart.Step;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.OrderStatus;
import io.sluice.model.Reason;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The orders of a SKU's earlier sale beside those of its next one: each counts for its own. */
abstract class EarlierSaleContract extends AgainScene {
  @Test
  void shouldLoadOrdersOfTheCurrentSaleOnly() {
    // given
    SaleSku wanted = putOne(OPEN, 4, 1);
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
    SaleSku wanted = putOne(OPEN, 4, 1);
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
    SaleSku wanted = putOne(OPEN, 4, 1);
    BucketId bucket = new BucketId(wanted.skuId(), 0);
    Grant whole = sold(bucket, 1, 1);
    Grant parts = grantOfSale(bucket, 2, 1, row(bucket).epoch());
    Grant three = Grants.with(parts, 3, 4, 1, null);
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
    assertThat(known(wanted.skuId()).stockNow()).isEqualTo(4);
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
  void shouldNameTheSaleOfTheOrderInItsEventsWhenItsSkuIsInALaterOne() {
    // given
    SaleSku wanted = putOne(OPEN, 4, 1);
    BucketId bucket = new BucketId(wanted.skuId(), 0);
    Grant before = sold(bucket, 1, 1);
    end(wanted.skuId());
    again(wanted);
    raise(bucket);
    Grant now = sold(bucket, 2, 2);

    // when
    apply(bucket, new Command.Refund(before.token()));

    // then
    String later = saleId + "-next";
    assertThat(salesOfEvents(before))
        .containsExactlyInAnyOrder(
            "ORDER_BOOKED " + saleId,
            "ORDER_CONFIRMED " + saleId,
            "ORDER_REFUNDED " + saleId,
            "STOCK_RETURNED " + saleId);
    assertThat(salesOfEvents(now))
        .containsExactlyInAnyOrder("ORDER_BOOKED " + later, "ORDER_CONFIRMED " + later);
  }

  private List<String> salesOfEvents(Grant grant) {
    return entries(grant.token().bucketId(), OutboxKind.EVENT).stream()
        .map(event -> new JsonObject(event.payload()))
        .filter(event -> grant.token().value().equals(event.getString("order_token")))
        .map(event -> event.getString("type") + " " + event.getString("sale_id"))
        .toList();
  }

  /** A sale that left its name out, and the terms that a SKU takes over, took it away. */
  @Test
  void shouldKeepItsNameInEachSaleThatDoesNotGiveItAnother() {
    // given
    SaleSku wanted = wanted(4, 1);
    SaleSku called = named(wanted, "Phone", Set.of());
    put(OPEN, called);
    List<String> names = new ArrayList<>(List.of(nameOf(wanted)));

    // when
    put(OPEN, named(wanted, null, Set.of("name")));
    names.add(nameOf(wanted));
    end(wanted.skuId());
    again(named(wanted, null, Set.of("name")));
    names.add(nameOf(wanted));
    PutResult.Done renamed =
        put(
            new NewSale(
                saleId + "-next",
                "next week",
                false,
                OPEN,
                List.of(named(wanted, "Case", Set.of()))));
    names.add(nameOf(wanted));

    // then
    assertThat(names).containsExactly("Phone", "Phone", "Phone", "Case");
    assertThat(renamed.changed()).containsExactly("skus[0].name");
    assertThat(renamed.skus()).containsEntry(wanted.skuId(), Joined.CHANGED);
    assertThat(get(sales().members(saleId, 0, ALL)))
        .extracting(member -> member.sku().name(), member -> member.sold())
        .containsExactly(tuple("Case", 0L));
  }

  private static SaleSku named(SaleSku sku, @Nullable String name, Set<String> leaves) {
    return new SaleSku(
        sku.skuId(),
        sku.totalStock(),
        sku.buckets(),
        sku.limitPerUser(),
        sku.marks(),
        sku.mode(),
        name,
        leaves);
  }

  private String nameOf(SaleSku sku) {
    return String.valueOf(known(sku.skuId()).name());
  }

  @Test
  void shouldNameTheSaleOfASkuInItsOwnEvents() {
    // given
    SaleSku wanted = putOne(OPEN, 4, 1);
    BucketId bucket = new BucketId(wanted.skuId(), 0);
    IntStream.rangeClosed(1, 4).forEach(number -> sold(bucket, number, 1));

    // when
    Fence owner = get(ledger().takeOver(row(bucket).partition(), 0));
    get(ledger().crossMarks(owner, wanted.skuId() - 1, 1));
    get(ledger().freezeSku(wanted.skuId(), "drift"));

    // then
    assertThat(
            entries(bucket, OutboxKind.EVENT).stream()
                .map(event -> new JsonObject(event.payload()))
                .filter(event -> !event.containsKey("order_token"))
                .filter(event -> event.getLong("sku_id") == wanted.skuId()))
        .extracting(event -> event.getString("type") + " " + event.getString("sale_id"))
        .containsExactlyInAnyOrder(
            "WATERMARK_CROSSED " + saleId, "WATERMARK_CROSSED " + saleId, "SKU_FROZEN " + saleId);
  }

  @Test
  void shouldMeasureWatermarksByTheUnitsOfTheCurrentSale() {
    // given
    SaleSku wanted = putOne(OPEN, 10, 1);
    BucketId bucket = new BucketId(wanted.skuId(), 0);
    for (int number = 1; number <= 10; number++) {
      sold(bucket, number, 1);
    }
    end(wanted.skuId());
    again(wanted);
    raise(bucket);
    sold(bucket, 11, 2);

    // when
    List<MarkedStock> listed =
        get(ledger().markedStocks(row(bucket).partition(), wanted.skuId() - 1, 1));

    // then
    assertThat(listed)
        .extracting(MarkedStock::skuId, MarkedStock::total, MarkedStock::available)
        .containsExactly(tuple(wanted.skuId(), 10L, 9L));
  }

  @Test
  void shouldKeepUnitsThatComeBackBeforeTheNextSale() {
    // given
    SaleSku wanted = putOne(OPEN, 4, 1);
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
    SaleSku wanted = putOne(OPEN, 4, 1);
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
}
