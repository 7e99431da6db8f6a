package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.ledger.BucketRow;
import io.sluice.ledger.DirectLedger;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.Put;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SaleLedger.Joined;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SaleSkus;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.SkuLedger.ArchiveResult;
import io.sluice.ledger.SkuLedger.ChangeResult;
import io.sluice.ledger.SkuLedger.DeleteResult;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.ledger.Step.Result;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Reason;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.sluice.testkit.Placements;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What has ended without an order can be deleted, and made again as if it had never been. */
abstract class DeleteContract extends AgainScene {
  private DeleteResult delete(long skuId) {
    return get(skus().delete(skuId));
  }

  private SaleLedger.DeleteResult deleteSale(String id) {
    return get(sales().delete(id));
  }

  private Sku ended(int buckets) {
    Sku sku = sku(10, buckets);
    end(sku.skuId());
    return known(sku.skuId());
  }

  private Sku again(long skuId, long stock, int buckets) {
    return put(new NewSku(skuId, stock, buckets, Sku.Mode.FAST, SETTINGS));
  }

  private void endSale(String id) {
    changeSale(id, StateChange.END);
    for (int step = 0; step < 10 && !isEnded(id); step++) {
      while (get(sales().takeOver(id))) {
        // Until there is no next step.
      }
      get(sales().skusOf(id, 0, ALL)).stream()
          .filter(sku -> sku.state() == SkuState.ENDING)
          .flatMap(sku -> IntStream.range(0, sku.buckets()).mapToObj(n -> sku.placed(n).id()))
          .forEach(this::raise);
    }
    assertThat(isEnded(id)).isTrue();
  }

  private boolean isEnded(String id) {
    return get(sales().sale(id)).orElseThrow().sale().state().isEnded();
  }

  // ---- what is refused

  /** Its state does not tell what instances and Redis have granted meanwhile. */
  @Test
  void shouldKeepASkuThatHasNotEnded() {
    // given
    Sku later = put(new NewSku(newSkuId(), 5, 1, Sku.Mode.FAST, LATER.settings(0, MARKS)));
    Sku open = sku(5, 2);
    Sku closed = sku(5, 1);
    change(closed.skuId(), StateChange.CLOSE);
    Sku frozen = sku(5, 1);
    change(frozen.skuId(), StateChange.FREEZE);
    Sku ending = sku(5, 2);
    change(ending.skuId(), StateChange.END);
    raise(new BucketId(ending.skuId(), 0));

    // when
    List<DeleteResult> results =
        List.of(later, open, closed, frozen, ending).stream()
            .map(sku -> delete(sku.skuId()))
            .toList();

    // then
    assertThat(results).containsOnly(new DeleteResult.NotEnded());
    assertThat(get(skus().bucketsOf(ending.skuId()))).hasSize(2);
    assertThat(known(later.skuId()).state()).isEqualTo(SkuState.SCHEDULED);
  }

  @Test
  void shouldKeepASkuWithAnOrderOfWhateverStatus() {
    // given
    BucketId canceled = sku(5);
    Grant grant = grant(canceled, 1);
    read(canceled, reserve(grant));
    apply(canceled, new Command.Cancel(grant.token(), Reason.BUYER));
    BucketId rejected = sku(5);
    apply(rejected, new Command.Reject(grant(rejected, 1), Reason.UNPROCESSABLE));
    BucketId paid = sku(5);
    Grant bought = grant(paid, 1);
    read(paid, reserve(bought));
    apply(paid, new Command.Confirm(bought.token(), null));
    List.of(canceled, rejected, paid).forEach(bucket -> end(bucket.skuId()));
    archive(paid.skuId(), ALL);
    BucketId open = sku(5);
    read(open, reserve(grant(open, 1)));

    // when
    List<DeleteResult> results =
        List.of(canceled, rejected, paid, open).stream()
            .map(bucket -> delete(bucket.skuId()))
            .toList();

    // then
    assertThat(results).containsOnly(new DeleteResult.HasOrders());
    assertThat(order(grant.token()).reason()).isEqualTo(Reason.BUYER);
    assertThat(order(bought.token()).archived()).isTrue();
  }

  @Test
  void shouldKeepASkuThatHasSoldInAnEarlierSale() {
    // given
    SaleSku wanted = putOne(OPEN, 4, 1);
    sold(new BucketId(wanted.skuId(), 0), 1, 1);
    end(wanted.skuId());
    again(wanted);
    end(wanted.skuId());

    // when
    DeleteResult result = delete(wanted.skuId());

    // then
    assertThat(result).isEqualTo(new DeleteResult.HasOrders());
    assertThat(get(sales().members(saleId, 0, ALL))).hasSize(1);
  }

  // ---- a SKU

  @Test
  void shouldDeleteAllOfASkuThatHasEndedWithoutAnOrder() {
    // given
    Sku sku = put(new NewSku(newSkuId(), 10, 2, Sku.Mode.FAST, SETTINGS, "Phone", Put.WHOLE));
    restock(sku.skuId(), "r1", 5);
    end(sku.skuId());

    // when
    DeleteResult first = delete(sku.skuId());
    DeleteResult repeated = delete(sku.skuId());

    // then
    assertThat(first).isEqualTo(new DeleteResult.Done());
    assertThat(repeated).isEqualTo(new DeleteResult.Unknown());
    assertThat(get(skus().sku(sku.skuId()))).isEmpty();
    assertThat(get(skus().bucketsOf(sku.skuId()))).isEmpty();
    assertThat(get(skus().audit(sku.skuId()))).isEmpty();
    assertThat(change(sku.skuId(), StateChange.OPEN)).isEqualTo(new ChangeResult.Unknown());
    assertThat(change(sku.skuId(), StateChange.FOLLOW)).isEqualTo(new ChangeResult.Unknown());
    assertThat(restock(sku.skuId(), "r1", 5)).isEqualTo(new RestockResult.Unknown());
    assertThat(get(skus().archive(sku.skuId()))).isEqualTo(new ArchiveResult.Unknown());
  }

  /** The owner may have died before it has deleted it from Redis. */
  @Test
  void shouldTellPartitionsWhereADeletedBucketWas() {
    // given
    Sku sku = ended(2);
    List<BucketId> buckets = List.of(new BucketId(sku.skuId(), 0), new BucketId(sku.skuId(), 1));

    // when
    delete(sku.skuId());
    boolean afterwards = areGone(buckets);
    again(sku.skuId(), 5, 2);

    // then
    assertThat(afterwards).isTrue();
    assertThat(areGone(buckets.subList(0, 1))).isFalse();
    assertThat(areGone(buckets.subList(1, 2))).isFalse();
  }

  private boolean areGone(List<BucketId> buckets) {
    return buckets.stream()
        .allMatch(
            id ->
                get(ledger()
                        .goneBuckets(
                            Placements.partitionOf(id, partitions()),
                            Optional.of(new BucketId(id.skuId() - 1, 255)),
                            ALL))
                    .contains(id));
  }

  @Test
  void shouldMakeItAgainWithOtherUnits() {
    // given
    Sku before = ended(2);
    restock(before.skuId(), "r1", 3);
    List<BucketRow> rows = get(skus().bucketsOf(before.skuId()));
    delete(before.skuId());

    // when
    Sku now = again(before.skuId(), 4, 2);

    // then
    assertThat(now).isEqualTo(known(before.skuId()));
    assertThat(List.of(now.firstStock(), now.totalStock(), now.stockNow())).containsOnly(4L);
    assertThat(now.name()).isNull();
    assertThat(now.membership().isInSale()).isFalse();
    assertThat(now.saleNo()).isGreaterThan(before.saleNo());
    assertThat(now.tag()).isNotEqualTo(before.tag());
    long epoch = rows.stream().mapToLong(BucketRow::epoch).max().orElseThrow();
    long version = rows.stream().mapToLong(BucketRow::version).max().orElseThrow();
    assertThat(get(skus().bucketsOf(now.skuId())))
        .extracting(BucketRow::total, BucketRow::epoch, BucketRow::version, BucketRow::isFresh)
        .containsExactly(
            tuple(2L, epoch + 1, version + 1, true), tuple(2L, epoch + 1, version + 1, true));
    assertThat(loads(now.skuId())).isNotEmpty();
    assertThat(restock(now.skuId(), "r1", 2)).isInstanceOf(RestockResult.Done.class);
    assertThat(known(now.skuId()).stockNow()).isEqualTo(6);
  }

  /**
   * A command on its way, or an instance that knows the deleted one, finds its buckets by these.
   */
  @Test
  void shouldNotMakeItAgainWithOtherBucketsOrInAnotherMode() {
    // given
    long skuId = ended(2).skuId();
    delete(skuId);

    // when
    var buckets = get(skus().put(new NewSku(skuId, 4, 3, Sku.Mode.FAST, SETTINGS)));
    var mode = get(skus().put(new NewSku(skuId, 4, 2, Sku.Mode.DIRECT, SETTINGS)));
    var sale = get(sales().put(sale(OPEN, SaleSkus.of(skuId, 4, 3, 2, MARKS))));

    // then
    assertThat(buckets).isEqualTo(new SkuLedger.PutResult.Conflict("buckets", "2", "3"));
    assertThat(mode).isEqualTo(new SkuLedger.PutResult.Conflict("mode", "fast", "direct"));
    assertThat(sale)
        .isEqualTo(
            new SaleLedger.PutResult.Refused(
                List.of(new SaleLedger.SkuFault.Fixed(skuId, "buckets", "2", "3"))));
    assertThat(get(skus().sku(skuId))).isEmpty();
  }

  @Test
  void shouldGoOnCountingWhenItIsDeletedAgain() {
    // given
    Sku first = ended(1);
    long epoch = row(new BucketId(first.skuId(), 0)).epoch();
    delete(first.skuId());
    again(first.skuId(), 5, 1);
    end(first.skuId());
    delete(first.skuId());

    // when
    Sku third = again(first.skuId(), 6, 1);

    // then
    assertThat(third.saleNo()).isEqualTo(first.saleNo() + 2);
    assertThat(row(new BucketId(third.skuId(), 0)).epoch()).isGreaterThan(epoch + 1);
  }

  /** A grant whose record was late became an order of the SKU that has the id now. */
  @Test
  void shouldBookNoGrantOfTheDeletedOne() {
    // given
    Sku before = sku(10, 1);
    BucketId bucket = new BucketId(before.skuId(), 0);
    Grant late = grant(bucket, 1);
    end(before.skuId());
    Grant ofTheEnd = grantOfSale(bucket, 2, 0, row(bucket).epoch());
    delete(before.skuId());
    Sku now = again(before.skuId(), 10, 1);

    // when
    Result.Applied applied = read(bucket, reserve(late), reserve(ofTheEnd));

    // then
    assertThat(applied.stale()).containsExactly(late, ofTheEnd);
    assertThat(get(ledger().orders(List.of(late.token(), ofTheEnd.token())))).isEmpty();
    assertThat(row(bucket)).extracting(BucketRow::held, BucketRow::free).containsExactly(0L, 10L);

    // when
    Grant mine = grantOfSale(bucket, 1, now.saleNo(), row(bucket).epoch());
    read(bucket, reserve(mine));

    // then
    assertThat(order(mine.token()).saleNo()).isEqualTo(now.saleNo());
    assertThat(row(bucket).held()).isEqualTo(1);
  }

  @Test
  void shouldBookNoGrantWhileThereIsNoSuchSku() {
    // given
    Sku before = ended(1);
    BucketId bucket = new BucketId(before.skuId(), 0);
    Grant late = grant(bucket, 1);
    delete(before.skuId());

    // when
    Result.Applied applied = read(bucket, reserve(late), new Command.Confirm(late.token(), null));

    // then
    assertThat(applied.outbox()).containsExactly(OutboxKind.DEAD);
    assertThat(get(ledger().orders(List.of(late.token())))).isEmpty();
    assertThat(get(ledger().bucket(bucket))).isEmpty();
  }

  @Test
  void shouldSayThatADirectSkuIsAnotherOneWhenItWasDeletedOrMadeAgain() {
    // given
    BucketId bucket =
        new BucketId(put(new NewSku(newSkuId(), 5, 2, Sku.Mode.DIRECT, SETTINGS)).skuId(), 1);
    DirectLedger.Wish wish =
        new DirectLedger.Wish(DirectScene.TOKENS.tokenFor("alice", bucket, ""), "alice", 1, null);
    List<DirectLedger.Outcome> other = List.of(new DirectLedger.Outcome.OtherSale(bucket.skuId()));
    change(bucket.skuId(), StateChange.END);
    for (int number = 0; number < 2; number++) {
      BucketId each = new BucketId(bucket.skuId(), number);
      while (get(direct().endBucket(each, ALL))) {
        // Its notes of buyers are deleted in parts.
      }
    }

    // when
    DeleteResult deleted = delete(bucket.skuId());
    var without = get(direct().place(Map.of(bucket.skuId(), 0L), () -> List.of(wish)));
    put(new NewSku(bucket.skuId(), 5, 2, Sku.Mode.DIRECT, SETTINGS));
    var again = get(direct().place(Map.of(bucket.skuId(), 0L), () -> List.of(wish)));

    // then
    assertThat(deleted).isEqualTo(new DeleteResult.Done());
    assertThat(without).isEqualTo(other);
    assertThat(again).isEqualTo(other);
  }

  // ---- in sales

  @Test
  void shouldLetADeletedSkuJoinTheSaleOnceMoreWithOtherUnits() {
    // given
    SaleSku stays = wanted(4, 1);
    SaleSku wrong = wanted(40, 1);
    put(OPEN, stays, wrong);
    end(wrong.skuId());

    // when
    DeleteResult deleted = delete(wrong.skuId());
    List<Long> without = members();
    SaleLedger.PutResult.Done put = put(OPEN, with(wrong, 6, 1));

    // then
    assertThat(deleted).isEqualTo(new DeleteResult.Done());
    assertThat(without).containsExactly(stays.skuId());
    assertThat(put.skus()).containsExactly(Map.entry(wrong.skuId(), Joined.CREATED));
    assertThat(members()).containsExactly(stays.skuId(), wrong.skuId());
    Sku now = known(wrong.skuId());
    assertThat(now.membership().saleId()).isEqualTo(saleId);
    assertThat(List.of(now.saleNo(), now.stockNow())).containsExactly(2L, 6L);
    assertThat(get(sales().totals(saleId)).stream().mapToLong(one -> one.allotted()).sum())
        .isEqualTo(10);
  }

  @Test
  void shouldLeaveAllSalesOfADeletedSku() {
    // given
    SaleSku wanted = putOne(OPEN, 4, 1);
    end(wanted.skuId());
    again(wanted);
    end(wanted.skuId());

    // when
    DeleteResult deleted = delete(wanted.skuId());

    // then
    assertThat(deleted).isEqualTo(new DeleteResult.Done());
    assertThat(get(sales().members(saleId, 0, ALL))).isEmpty();
    assertThat(get(sales().members(saleId + "-next", 0, ALL))).isEmpty();
    assertThat(putOne(OPEN, 4, 1).skuId()).isGreaterThan(wanted.skuId());
    assertThat(put(OPEN, wanted).skus()).containsExactly(Map.entry(wanted.skuId(), Joined.CREATED));
  }

  // ---- a sale

  @Test
  void shouldDeleteASaleThatHasEndedWithItsSkus() {
    // given
    SaleSku first = wanted(4, 1);
    SaleSku second = wanted(4, 2);
    put(OPEN, first, second);
    SaleLedger.DeleteResult early = deleteSale(saleId);
    endSale(saleId);

    // when
    SaleLedger.DeleteResult deleted = deleteSale(saleId);
    SaleLedger.DeleteResult repeated = deleteSale(saleId);

    // then
    assertThat(List.of(early, deleted, repeated))
        .containsExactly(
            new SaleLedger.DeleteResult.NotEnded(),
            new SaleLedger.DeleteResult.Done(),
            new SaleLedger.DeleteResult.Unknown());
    assertThat(get(sales().sale(saleId))).isEmpty();
    assertThat(get(skus().skus(List.of(first.skuId(), second.skuId())))).isEmpty();
    assertThat(get(sales().takeOver(saleId))).isFalse();
    assertThat(get(sales().behind("", ALL))).doesNotContain(saleId);

    // when
    SaleLedger.PutResult.Done again = put(OPEN, with(first, 7, 1));

    // then
    assertThat(again.created()).isTrue();
    assertThat(again.sale().version()).isEqualTo(1);
    assertThat(known(first.skuId()).saleNo()).isEqualTo(2);
  }

  @Test
  void shouldKeepASaleWithAllItsSkusWhenOneHasAnOrder() {
    // given
    SaleSku first = wanted(4, 1);
    SaleSku second = wanted(4, 1);
    put(OPEN, first, second);
    sold(new BucketId(second.skuId(), 0), 1, 1);
    endSale(saleId);

    // when
    SaleLedger.DeleteResult result = deleteSale(saleId);

    // then
    assertThat(result).isEqualTo(new SaleLedger.DeleteResult.HasOrders(second.skuId()));
    assertThat(members()).containsExactly(first.skuId(), second.skuId());
  }

  @Test
  void shouldKeepASaleUntilTheSkuThatHasGoneOnIsDeleted() {
    // given
    SaleSku gone = wanted(4, 1);
    put(OPEN, gone, wanted(4, 1));
    endSale(saleId);
    again(gone);

    // when
    SaleLedger.DeleteResult before = deleteSale(saleId);
    end(gone.skuId());
    delete(gone.skuId());
    SaleLedger.DeleteResult after = deleteSale(saleId);

    // then
    assertThat(before)
        .isEqualTo(new SaleLedger.DeleteResult.GoneOn(gone.skuId(), saleId + "-next"));
    assertThat(after).isEqualTo(new SaleLedger.DeleteResult.Done());
  }

  /** No transaction deletes more than one that changes a sale would change. */
  @Test
  void shouldDeleteALargeSaleInSteps() {
    // given
    int buckets = SaleLedger.TAKE_OVER_BUCKETS_MAX / 8;
    List<SaleSku> all = IntStream.range(0, 10).mapToObj(n -> wanted(buckets, buckets)).toList();
    put(new NewSale(saleId, "large", false, OPEN, all));
    endSale(saleId);

    // when
    SaleLedger.DeleteResult first = deleteSale(saleId);
    int left = members().size();
    SaleLedger.DeleteResult second = deleteSale(saleId);

    // then
    assertThat(first).isEqualTo(new SaleLedger.DeleteResult.Working());
    assertThat(left).isEqualTo(2);
    assertThat(second).isEqualTo(new SaleLedger.DeleteResult.Done());
    assertThat(get(sales().sale(saleId))).isEmpty();
  }
}
