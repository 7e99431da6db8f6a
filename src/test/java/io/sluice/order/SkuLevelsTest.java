package io.sluice.order;

import static io.sluice.grant.Desk.answer;
import static io.sluice.grant.ScriptedStock.bucketWith;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.async.BatchReader.QueueFullException;
import io.sluice.grant.Desk;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.BucketRows;
import io.sluice.model.BucketId;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.order.SkuLevels.Level;
import io.sluice.order.SkuLevels.SkuLevel;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore.Snapshot;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SkuLevelsTest {
  private final Desk desk = new Desk(2);
  private final SkuLevels unit = new SkuLevels(desk.stores, desk.time.loop(), desk.catalog);

  @ParameterizedTest
  @CsvSource({
    "100, 100, PLENTY",
    "21, 100, PLENTY",
    "20, 100, LOW",
    "6, 100, LOW",
    "5, 100, LAST",
    "1, 100, LAST",
    "0, 100, SOLD_OUT",
    "0, 0, SOLD_OUT",
    "1, 4, PLENTY",
    "1, 5, LOW",
    "1, 1, PLENTY",
    "256000000000, 256000000000, PLENTY",
  })
  void shouldTellTheLevelOfWhatIsLeft(long available, long total, Level expected) {
    // given
    desk.stock.snapshot =
        bucket ->
            Future.succeededFuture(
                bucket.bucket() == 0 ? bucketWith(available, total) : bucketWith(0, 0));

    // when
    Level level = levelNow();

    // then
    assertThat(level).isEqualTo(expected);
  }

  @Test
  void shouldAddUpAllBuckets() {
    // given
    desk.stock.snapshot =
        bucket -> Future.succeededFuture(bucketWith(bucket.bucket() == 0 ? 0 : 20, 50));

    // when
    Optional<SkuLevel> level = answer(unit.level(Desk.SKU));

    // then
    assertThat(level).contains(new SkuLevel(Desk.SKU, SkuState.OPEN, Level.LOW, 5_000, 90_000));
  }

  @ParameterizedTest
  @CsvSource({"SCHEDULED, OPEN", "OPEN, OPEN", "CLOSED, CLOSED", "FROZEN, FROZEN"})
  void shouldTellWhatTheStateAmountsToNow(SkuState stored, SkuState now) {
    // given
    desk.stock.snapshot =
        bucket -> Future.succeededFuture(bucketWith(BucketCode.OK, 9, 10, stored));

    // when
    Optional<SkuLevel> level = answer(unit.level(Desk.SKU));

    // then
    assertThat(level).map(SkuLevel::state).contains(now);
  }

  @Test
  void shouldKeepTheLevelForASecond() {
    // given
    desk.stock.snapshot = bucket -> Future.succeededFuture(bucketWith(10, 10));
    unit.level(Desk.SKU);
    desk.stock.snapshot = bucket -> Future.succeededFuture(bucketWith(0, 10));
    desk.time.advanceMs(999);
    assertThat(levelNow()).isEqualTo(Level.PLENTY);

    // when
    desk.time.advanceMs(1);

    // then
    assertThat(levelNow()).isEqualTo(Level.SOLD_OUT);
  }

  @Test
  void shouldAskOnceWhenManyWantTheSameLevel() {
    // given
    Promise<Snapshot> answer = Promise.promise();
    desk.stock.snapshot = bucket -> answer.future();
    unit.level(Desk.SKU);
    Future<Optional<SkuLevel>> second = unit.level(Desk.SKU);

    // when
    answer.complete(bucketWith(10, 10));

    // then
    assertThat(answer(second)).isPresent();
    assertThat(desk.stock.snapshots).hasSize(2);
  }

  @Test
  void shouldAskTheLedgerWhenABucketIsAway() {
    // given
    desk.stock.snapshot =
        bucket ->
            Future.succeededFuture(
                bucketWith(
                    bucket.bucket() == 0 ? BucketCode.OK : BucketCode.LOADING,
                    10,
                    10,
                    SkuState.OPEN));
    desk.ledger.buckets = List.of(row(0, 50, 40, 5), row(1, 50, 0, 50));

    // when
    Level level = levelNow();

    // then
    assertThat(level).isEqualTo(Level.LAST);
  }

  @Test
  void shouldAskTheLedgerWhenRedisFails() {
    // given
    desk.ledger.buckets = List.of(row(0, 50, 0, 0), row(1, 50, 0, 0));

    // when
    Level level = levelNow();

    // then
    assertThat(level).isEqualTo(Level.PLENTY);
  }

  @Test
  void shouldFailAndAskAgainWhenNobodyCanTell() {
    // given
    desk.catalog.find(Desk.SKU);
    desk.ledger.down = true;
    assertThat(unit.level(Desk.SKU).failed()).isTrue();
    desk.stock.snapshot = bucket -> Future.succeededFuture(bucketWith(10, 10));

    // when
    Level level = levelNow();

    // then
    assertThat(level).isEqualTo(Level.PLENTY);
  }

  @Test
  void shouldNotKeepThatASkuIsUnknownLongerThanTheCatalogDoes() {
    // given
    assertThat(answer(unit.level(77))).isEmpty();
    desk.time.advanceMs(999);
    assertThat(answer(unit.level(77))).isEmpty();
    desk.ledger.add(77, 1);
    desk.stock.snapshot = bucket -> Future.succeededFuture(bucketWith(10, 10));

    // when
    desk.time.advanceMs(1);

    // then
    assertThat(answer(unit.level(77))).isPresent();
  }

  @Test
  void shouldLeaveRedisRoomForGrantsWhenThousandsOfLevelsAreAskedFor() {
    // given
    desk.stock.snapshot = bucket -> Promise.<Snapshot>promise().future();

    // when
    for (long sku = 1; sku <= 1_000; sku++) {
      desk.ledger.add(sku, 2);
      unit.level(sku);
    }

    // then
    assertThat(desk.stock.snapshots).hasSize(SkuLevels.SNAPSHOTS_MAX);
  }

  @Test
  void shouldRefuseAndAskNobodyElseWhenTooManyBucketsWaitForRedis() {
    // given
    desk.stock.snapshot = bucket -> Promise.<Snapshot>promise().future();
    int fit = (SkuLevels.SNAPSHOTS_MAX + SkuLevels.SNAPSHOTS_WAITING_MAX) / 256;
    for (long sku = 1; sku <= fit; sku++) {
      desk.ledger.add(sku, 256);
      unit.level(sku);
    }

    // when
    desk.ledger.add(500, 256);
    Future<Optional<SkuLevel>> over = unit.level(500);

    // then
    assertThat(QueueFullException.isWhy(over.cause())).isTrue();
    assertThat(desk.ledger.bucketQueries).isEmpty();
  }

  @Test
  void shouldHaveOneQueryInFlightWhenRedisIsAwayAndManyLevelsAreAskedFor() {
    // given
    for (long sku = 1; sku <= 150; sku++) {
      desk.ledger.add(sku, 1);
      answer(desk.catalog.find(sku));
    }
    desk.ledger.hold();

    // when
    for (long sku = 1; sku <= 150; sku++) {
      unit.level(sku);
    }
    int inFlight = desk.ledger.bucketQueries.size();
    desk.ledger.release();

    // then
    assertThat(inFlight).isEqualTo(1);
    assertThat(desk.ledger.bucketQueries).hasSize(3);
  }

  private Level levelNow() {
    return answer(unit.level(Desk.SKU)).orElseThrow().level();
  }

  private static BucketRow row(int bucket, long allotted, long held, long sold) {
    return BucketRows.of(
        new BucketId(Desk.SKU, bucket),
        0,
        allotted,
        held,
        sold,
        1,
        1,
        SkuState.OPEN,
        new SkuSettings(300, 0, 0, 0));
  }
}
