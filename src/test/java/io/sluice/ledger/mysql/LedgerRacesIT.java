package io.sluice.ledger.mysql;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.Buyers;
import io.sluice.db.TestDatabase;
import io.sluice.ledger.Audit;
import io.sluice.ledger.Batches;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.TakeResult;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.SkuLedger.DeleteResult;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.SkuLedger.PutResult;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.sluice.ledger.rules.OutboxList;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.IfMatch;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.testkit.Placements;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Concurrent callers of the database, kept apart by locks, unique keys and the fence. */
class LedgerRacesIT {
  private static final int BATCHES = 12;
  private static final int BATCH = 5;

  @AutoClose private static final RealLedger real = new RealLedger(8);

  private static final MySqlLedger ledger = real.ledger;
  private static final MySqlSkuLedger skus = real.skus;

  private final long skuId = RealLedger.newSkuId();

  @AfterEach
  void shouldStandUpToAnAudit() {
    Audit audit = get(skus.audit(skuId)).orElseThrow();
    assertThat(audit.agrees()).as("%s", audit).isTrue();
    assertThat(audit.available()).isNotNegative();
  }

  @Test
  void shouldBookEachBatchOnceWhenTwoOwnersRace() {
    // given
    BucketId bucket = real.put(skuId, 1_000, 1);
    int partition = Placements.partitionOf(bucket, RealLedger.PARTITIONS);
    long begin = get(ledger.takeOver(partition, 0)).nextOffset();

    // when
    get(Future.all(own(bucket, begin), own(bucket, begin)));

    // then
    assertThat(get(ledger.fences()).get(partition).nextOffset()).isEqualTo(begin + BATCHES);
    assertThat(real.row(bucket).held()).isEqualTo(BATCHES * BATCH);
    assertThat(events(partition)).isEqualTo(BATCHES * BATCH);
  }

  /**
   * An owner that takes the partition over again whenever it loses the fence, until the log is
   * booked.
   */
  private static Future<Void> own(BucketId bucket, long begin) {
    return real.takeOver(bucket).compose(fence -> goOn(bucket, fence, begin));
  }

  private static Future<Void> goOn(BucketId bucket, Fence fence, long begin) {
    long offset = fence.nextOffset();
    if (offset == begin + BATCHES) {
      return Future.succeededFuture();
    }
    return Batches.apply(
            ledger,
            Step.advance(fence, offset + 1),
            batch(bucket, (int) (offset - begin) * BATCH, BATCH))
        .compose(
            result ->
                result instanceof Result.FenceLost
                    ? own(bucket, begin)
                    : goOn(bucket, new Fence(fence.partition(), fence.term(), offset + 1), begin));
  }

  @Test
  void shouldBookOnceWhenTheSameStepRunsTwiceAtOnce() {
    // given
    BucketId bucket = real.put(skuId, 100, 1);
    Fence fence = get(real.takeOver(bucket));
    Step step = Step.advance(fence, fence.nextOffset() + 1);

    // when
    List<Future<Result>> twins =
        IntStream.range(0, 4)
            .mapToObj(i -> Batches.apply(ledger, step, batch(bucket, 0, BATCH)))
            .toList();

    // then
    assertThat(twins)
        .allSatisfy(twin -> assertThat(((Result.Applied) get(twin)).booked()).hasSize(BATCH));
    assertThat(real.row(bucket).held()).isEqualTo(BATCH);
  }

  @Test
  void shouldLoseNoUnitWhenRestocksMeetBatches() {
    // given
    real.put(skuId, 400, 4);
    List<Future<?>> calls = new ArrayList<>();

    // when
    for (int bucket = 0; bucket < 4; bucket++) {
      BucketId id = new BucketId(skuId, bucket);
      calls.add(real.takeOver(id).compose(fence -> bookAll(id, 0)));
    }
    for (int i = 0; i < 10; i++) {
      calls.add(skus.restock(skuId, "up-" + i, 10, IfMatch.NOTHING));
      calls.add(skus.restock(skuId, "down-" + i, -7, IfMatch.NOTHING));
    }

    // then
    calls.forEach(TestDatabase::get);
    finishTakes();
    assertThat(get(skus.sku(skuId)).orElseThrow().totalStock()).isEqualTo(400 + 100 - 70);
    assertThat(get(skus.audit(skuId)).orElseThrow().held()).isEqualTo(4 * BATCHES * BATCH);
    for (int i = 0; i < 10; i++) {
      assertThat(get(skus.restock(skuId, "down-" + i, -7, IfMatch.NOTHING)))
          .isInstanceOf(RestockResult.Done.class);
    }
  }

  private static Future<Void> bookAll(BucketId bucket, int batch) {
    if (batch == BATCHES) {
      return Future.succeededFuture();
    }
    int partition = Placements.partitionOf(bucket, RealLedger.PARTITIONS);
    return ledger
        .fences()
        .compose(
            fences ->
                Batches.apply(
                    ledger, Step.check(fences.get(partition)), batch(bucket, batch * BATCH, BATCH)))
        .compose(result -> bookAll(bucket, result instanceof Result.FenceLost ? batch : batch + 1));
  }

  private void finishTakes() {
    for (int partition = 0; partition < RealLedger.PARTITIONS; partition++) {
      Fence fence = get(ledger.takeOver(partition, 0));
      for (OutboxRow row : get(ledger.pending(partition, OutboxKind.RESTOCK, 0, 1_000))) {
        if (row.eventType().equals(OutboxPayload.TAKE)) {
          long now = real.row(OutboxPayload.takeOf(row.payload()).bucket()).version();
          assertThat(get(ledger.finishTake(fence, row, 1, now))).isEqualTo(TakeResult.DONE);
        }
      }
    }
  }

  @Test
  void shouldCreateOnceWhenTwinsArePutAtOnce() {
    // given
    NewSku wanted = new NewSku(skuId, 10, 3, Sku.Mode.FAST, new SkuSettings(300, 0, 0, 0));

    // when
    List<Future<PutResult>> puts = IntStream.range(0, 6).mapToObj(i -> skus.put(wanted)).toList();

    // then
    assertThat(puts.stream().map(put -> ((PutResult.Done) get(put)).created()))
        .containsOnlyOnce(true);
    assertThat(get(skus.audit(skuId)).orElseThrow().total()).isEqualTo(10);
  }

  @Test
  void shouldAddOnceWhenTwinRestocksComeAtOnce() {
    // given
    BucketId bucket = real.put(skuId, 10, 1);

    // when
    List<Future<RestockResult>> twins =
        IntStream.range(0, 6).mapToObj(i -> skus.restock(skuId, "r1", 5, IfMatch.NOTHING)).toList();

    // then
    assertThat(twins)
        .allSatisfy(
            twin -> assertThat(((RestockResult.Done) get(twin)).sku().totalStock()).isEqualTo(15));
    assertThat(real.row(bucket).allotted()).isEqualTo(15);
  }

  @Test
  void shouldLeaveOneRequestWhenTwinsAskAtOnce() {
    // given
    BucketId bucket = real.put(skuId, 10, 1);

    // when
    List<Future<Long>> twins =
        IntStream.range(0, 6).mapToObj(i -> skus.request(RequestKind.RECONCILE, bucket)).toList();

    // then
    assertThat(twins.stream().map(TestDatabase::get).distinct()).hasSize(1);
  }

  /** The grants are late: of the SKU that is deleted, and in the log only now. */
  @Test
  void shouldDeleteOnceAndBookNothingOfItWhenItIsMadeAgainMeanwhile() {
    // given
    BucketId bucket = real.put(skuId, 10, 1);
    get(skus.change(skuId, StateChange.END, IfMatch.NOTHING));
    Fence fence = get(real.takeOver(bucket));
    long epoch = get(ledger.raiseEpoch(fence, bucket, 0)).orElseThrow().epoch();
    NewSku other = new NewSku(skuId, 7, 1, Sku.Mode.FAST, new SkuSettings(300, 0, 0, 0));

    // when
    List<Future<DeleteResult>> deletions = new ArrayList<>();
    List<Future<?>> others = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      deletions.add(skus.delete(skuId));
      others.add(skus.put(other));
      others.add(Batches.apply(ledger, Step.check(fence), batch(bucket, 0, BATCH)));
    }
    get(Future.join(others));

    // then
    assertThat(deletions.stream().map(TestDatabase::get))
        .containsOnlyOnce(new DeleteResult.Done())
        .doesNotContain(new DeleteResult.HasOrders());
    assertThat(get(skus.put(other))).isInstanceOf(PutResult.Done.class);
    assertThat(get(skus.audit(skuId)).orElseThrow().total()).isEqualTo(7);
    assertThat(get(skus.bucketsOf(skuId)))
        .hasSize(1)
        .allMatch(row -> row.taken() == 0 && row.epoch() > epoch && row.saleNo() == 1);
  }

  private long events(int partition) {
    return get(ledger.pending(partition, OutboxKind.EVENT, 0, 10_000)).stream()
        .filter(row -> row.eventType().equals("ORDER_BOOKED"))
        .flatMap(row -> OutboxList.entries(row.payload()).stream())
        .filter(event -> OutboxPayload.order(event).orElseThrow().token().skuId() == skuId)
        .count();
  }

  private static List<Command> batch(BucketId bucket, int from, int size) {
    List<Command> commands = new ArrayList<>();
    for (int i = from; i < from + size; i++) {
      commands.add(new Command.Reserve(RealLedger.grant(bucket, Buyers.of(i), i + 1), null));
    }
    return commands;
  }
}
