package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Batches;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Fence;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SaleSkus;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.ledger.Step;
import io.sluice.model.BucketId;
import io.sluice.model.Cart;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.OrderToken;
import io.sluice.model.Placement;
import io.sluice.model.Reason;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.SkuSettings.Watermarks;
import io.sluice.model.SkuState;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Request;
import io.vertx.core.Future;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Buckets of a sale with carts are rebuilt together, unless no cart can be dropped with one. */
class CartGroupsTest {
  private static final BucketId A = new BucketId(1, 0);
  private static final BucketId B = new BucketId(2, 0);
  private static final BucketId C = new BucketId(3, 0);
  private static final String HERE = placedIn(0);
  private static final String ELSEWHERE = placedIn(1);
  private static final OrderToken TOKEN = new OrderToken(1, 0, "1.0.AAAAAAAAAAAAAAAAAAAAAA");

  private final RebuildScene scene = new RebuildScene(2);

  private static String placedIn(int partition) {
    String name = "sale";
    while (Placement.together(name, 1, 2).partitionOf(0) != partition) {
      name += "x";
    }
    return name;
  }

  private void put(String sale, BucketId... buckets) {
    SaleTerms terms = new SaleTerms(0, 0, 300, false);
    List<SaleSku> skus =
        Arrays.stream(buckets)
            .map(bucket -> SaleSkus.of(bucket.skuId(), 10, 1, 0, new Watermarks(20, 5)))
            .toList();
    scene.ledger.sales().put(new NewSale(sale, sale, true, terms, skus)).result();
  }

  private void load(BucketId... buckets) {
    scene.request(List.of(buckets));
    scene.run();
  }

  private void sells(BucketId... buckets) {
    put(HERE, buckets);
    load(buckets);
    scene.waitForGrants();
  }

  private void end(BucketId bucket) {
    scene.ledger.change(bucket.skuId(), StateChange.END);
    scene.stock.restock(bucket, scene.ownership.term(), BucketLoader.ceiling(row(bucket)));
  }

  private BucketRow row(BucketId bucket) {
    return scene.ledger.bucket(bucket).result().orElseThrow();
  }

  private void book(Command... commands) {
    Batches.apply(scene.ledger, Step.check(scene.ownership.fence()), List.of(commands)).result();
  }

  private Command[] paidCart() {
    Cart cart =
        new Cart(
            List.of(
                new Cart.Line(A, 1, row(A).epoch(), 1, 1),
                new Cart.Line(B, 2, row(B).epoch(), 2, 1)));
    long now = scene.ledger.nowMs().result();
    return new Command[] {
      new Command.Reserve(Grants.ofLead(cart, TOKEN, "ann", now, now + 300_000, null), null),
      new Command.Confirm(TOKEN)
    };
  }

  @Test
  void shouldSellOnWhenSkuIsAddedToRunningSale() {
    // given
    sells(A, B);
    put(HERE, C);

    // when
    load(C);

    // then
    assertThat(List.of(A, B, C)).allMatch(scene::isOpen);
    assertThat(scene.waits()).isZero();
  }

  @Test
  void shouldSellOnWhenSkuOfAnEarlierSaleIsAdded() {
    // given
    put(ELSEWHERE, C);
    scene.ledger.change(C.skuId(), StateChange.END);
    scene.ledger.raiseEpoch(scene.ledger.takeOver(1, 0).result(), C, 0).result();
    sells(A, B);
    put(HERE, C);

    // when
    load(C);

    // then
    assertThat(row(C).partition()).isZero();
    assertThat(List.of(A, B, C)).allMatch(scene::isOpen);
  }

  @Test
  void shouldSellOnWhenOneSkuEnds() {
    // given
    sells(A, B, C);
    end(A);

    // when
    load(A);
    boolean sellMeanwhile = scene.isOpen(B) && scene.isOpen(C);
    scene.waitForGrants();

    // then
    assertThat(sellMeanwhile).isTrue();
    assertThat(row(A).state()).isEqualTo(SkuState.ENDED);
    assertThat(List.of(B, C)).allMatch(scene::isOpen);
    assertThat(scene.stock.hasAny(List.of(A)).result()).isFalse();
  }

  @Test
  void shouldSellOnWhenTheEndOfOneSkuIsTriedAgain() {
    // given
    sells(A, B);
    end(A);
    scene.instead.put("raiseEpoch", call -> Future.failedFuture("the ledger is away"));
    load(A);
    scene.waitForGrants();
    scene.instead.clear();

    // when
    scene.retry();
    boolean sellsMeanwhile = scene.isOpen(B);
    scene.waitForGrants();

    // then
    assertThat(sellsMeanwhile).isTrue();
    assertThat(row(A).state()).isEqualTo(SkuState.ENDED);
  }

  /** A grant that is dropped with the bucket must not be left in the others. */
  @Test
  void shouldFreezeAllWhenTheOneThatEndsHasUnbookedGrants() {
    // given
    sells(A, B);
    scene.stock.reserve(A, List.of(new Request(TOKEN, "ann", 1, null, row(A).saleNo())));
    end(A);

    // when
    load(A);

    // then
    assertThat(scene.isOpen(B)).isFalse();
  }

  @Test
  void shouldFreezeAllWhenTheOneThatEndsWasLost() {
    // given
    sells(A, B);
    scene.ledger.change(A.skuId(), StateChange.END);

    // when
    scene.stock.wipe();
    load(A);
    scene.waitForGrants();

    // then
    assertThat(scene.called.get("freeze")).contains(B);
  }

  @Test
  void shouldFreezeAllWhenOneIsRebuilt() {
    // given
    sells(A, B);

    // when
    load(A);

    // then
    assertThat(scene.isOpen(B)).isFalse();
  }

  /** The lead has gone on to a sale in another partition; its owner refunds the whole cart. */
  @Test
  void shouldLoadAnewWhenAnotherOwnerEndsCartBetweenHeadAndPages() {
    // given
    sells(A, B);
    book(paidCart());
    scene.ledger.change(A.skuId(), StateChange.END);
    load(A);
    scene.waitForGrants();
    put(ELSEWHERE, A);
    Fence there = scene.ledger.takeOver(1, 0).result();
    boolean[] refunded = {false};
    scene.instead.put(
        "loadRows",
        call -> {
          if (!refunded[0]) {
            refunded[0] = true;
            Batches.apply(scene.ledger, Step.check(there), List.of(new Command.Refund(TOKEN)))
                .result();
          }
          return null;
        });

    // when
    load(B);
    scene.waitForGrants();
    scene.retry();
    scene.waitForGrants();

    // then
    assertThat(refunded[0]).isTrue();
    assertThat(row(B).sold()).isZero();
    assertThat(row(B).state()).isEqualTo(SkuState.OPEN);
    assertThat(scene.isOpen(B)).isTrue();
  }

  /**
   * Its other lines may be booked and not yet known to be, if the bucket of the lead ends alone.
   */
  @Test
  void shouldSendCartOnceWhenItsLeadHasGoneElsewhere() {
    // given
    sells(A, B);
    List<StockStore.Line> lines =
        List.of(
            new StockStore.Line(A, 1, row(A).saleNo()), new StockStore.Line(B, 1, row(B).saleNo()));
    scene.stock.reserveCarts(List.of(StockStore.Request.ofLines(TOKEN, "ann", null, lines)));
    List<Grant> grants = scene.stock.overdue(B, 0, 10).result().grants();
    book(new Command.Reserve(grants.get(0), null), new Command.Cancel(TOKEN, Reason.BUYER));
    scene.stock.book(A, scene.ownership.term(), scene.ownership.booked(), List.of(TOKEN));
    end(A);
    load(A);
    scene.waitForGrants();
    put(ELSEWHERE, A);

    // when
    Future<Void> booked = new UnbookedGrants(scene.context).book(B, grants);
    scene.run();

    // then
    assertThat(booked.succeeded()).isTrue();
    assertThat(row(A).partition()).isOne();
    assertThat(scene.stock.snapshot(B, List.of(), 0).result().unbookedCount()).isZero();
  }
}
