package io.sluice.admin.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admin.FakeLedger;
import io.sluice.admin.FakeStock;
import io.sluice.admin.page.StockWatch.SkuNow;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.SkuLedger;
import io.sluice.model.BucketId;
import io.sluice.model.Sku;
import io.sluice.stock.BucketCode;
import io.sluice.testkit.Ports;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which SKUs are followed, and what that costs. */
class StockWatchTest {
  private final TreeMap<Long, Sku> skus = new TreeMap<>();
  private final Map<Long, Long> sold = new HashMap<>();

  /** In sales before. */
  private final Map<Long, Long> soldEarlier = new HashMap<>();

  private final AtomicLong nanos = new AtomicLong(1);
  private final FakeStock stock = new FakeStock();
  private int ledgerReads;
  private final StockWatch unit =
      new StockWatch(
          Ports.partly(SkuLedger.class, this),
          partition -> stock.store(),
          () -> Instant.ofEpochSecond(9),
          nanos::get);

  Future<List<Sku>> skus(long after, int limit) {
    ledgerReads++;
    return Future.succeededFuture(
        skus.tailMap(after, false).values().stream().limit(limit).toList());
  }

  Future<Map<Long, Sku>> skus(Collection<Long> ids) {
    ledgerReads++;
    return Future.succeededFuture(only(ids));
  }

  Future<Map<Long, List<BucketRow>>> bucketsOf(Collection<Long> ids) {
    ledgerReads++;
    return Future.succeededFuture(
        only(ids).entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, sku -> rows(sku.getValue()))));
  }

  private Map<Long, Sku> only(Collection<?> ids) {
    Map<Long, Sku> found = new TreeMap<>(skus);
    found.keySet().retainAll(ids);
    return found;
  }

  private List<BucketRow> rows(Sku sku) {
    return IntStream.range(0, sku.buckets()).mapToObj(bucket -> row(sku.skuId(), bucket)).toList();
  }

  private BucketRow row(long skuId, int bucket) {
    BucketRow row = FakeLedger.row(new BucketId(skuId, bucket), 1);
    long earlier = soldEarlier.getOrDefault(skuId, 0L);
    return new BucketRow(
        row.id(),
        1,
        100 + earlier,
        0,
        earlier + sold.getOrDefault(skuId, 0L),
        1,
        1,
        row.state(),
        row.settings(),
        0,
        earlier,
        0,
        0,
        OptionalLong.empty(),
        false);
  }

  private void has(int count, int buckets) {
    for (long id = 1; id <= count; id++) {
      skus.put(id, FakeLedger.sku(id, buckets));
    }
  }

  /** Lets a second pass, and looks. */
  private List<Long> look() {
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    unit.now();
    return unit.now().stream().map(seen -> seen.sku().skuId()).toList();
  }

  @Test
  void shouldReadNothingWhenNobodyAsks() {
    // given
    has(3, 1);

    // when
    nanos.addAndGet(Duration.ofHours(1).toNanos());

    // then
    assertThat(ledgerReads).isZero();
    assertThat(stock.looks).hasValue(0);
    assertThat(unit.isRead()).isFalse();
  }

  @Test
  void shouldReadNoMoreWhenManyAsk() {
    // given
    has(3, 1);

    // when
    for (int i = 0; i < 1_000; i++) {
      unit.now();
    }

    // then: a page of SKUs and their buckets
    assertThat(ledgerReads).isEqualTo(2);
    assertThat(stock.looks.get()).isLessThanOrEqualTo(3);
  }

  @Test
  void shouldPutThoseFirstThatSell() {
    // given
    has(5, 1);
    look();
    sold.put(4L, 10L);

    // when
    List<Long> seen = look();

    // then
    assertThat(seen).containsExactly(4L, 1L, 2L, 3L, 5L);
    assertThat(unit.hasMore()).isFalse();
  }

  @Test
  void shouldNotTakeForMovedWhatWasSoldInAnEarlierSale() {
    // given
    has(3, 1);
    soldEarlier.put(3L, 5L);
    look();

    // when
    List<Long> order = look();

    // then
    assertThat(order).containsExactly(1L, 2L, 3L);
  }

  @Test
  void shouldFindTheOneThatSellsAmongManyPages() {
    // given: those of the page stay in mind only while they are among the first
    has(250, 1);
    look();
    skus.put(999L, FakeLedger.sku(999, 1));
    List<Long> before = List.of();
    for (int round = 0; round < 3; round++) {
      before = look();
    }

    // when: it is followed because it has more to tell than others, once it was seen
    sold.put(3L, 1L);
    List<Long> after = look();
    for (int round = 0; round < 3; round++) {
      after = look();
    }

    // then
    assertThat(before).hasSize(StockWatch.FOLLOWED_MAX);
    assertThat(after).hasSize(StockWatch.FOLLOWED_MAX).startsWith(3L);
    assertThat(unit.hasMore()).isTrue();
  }

  @Test
  void shouldReadABoundedNumberOfBucketsFromRedis() {
    // given
    has(8, 20);
    look();
    stock.looks.set(0);

    // when
    look();

    // then: of three SKUs; the others are shown as the ledger has them
    assertThat(stock.looks).hasValue(60);
    assertThat(unit.now().stream().filter(SkuNow::isFromRedis)).hasSize(3);
    assertThat(unit.now().get(7).available()).isEqualTo(20 * 100);
  }

  @Test
  void shouldShowTheLedgerWhereRedisHasNotAllBuckets() {
    // given
    has(1, 2);
    stock.snapshots =
        bucket ->
            bucket.bucket() == 0
                ? Future.succeededFuture(FakeStock.snapshot(BucketCode.LOADING, 1, 1, 0))
                : Future.failedFuture("planted");
    look();

    // when
    look();

    // then
    SkuNow seen = unit.now().get(0);
    assertThat(seen.isFromRedis()).isFalse();
    assertThat(seen.available()).isEqualTo(200);
    assertThat(seen.shut()).isEqualTo(1);
    assertThat(seen.json(0).getJsonArray("buckets").getJsonArray(0).getString(4))
        .isEqualTo("LOADING");
  }
}
