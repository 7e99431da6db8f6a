package io.sluice.grant;

import io.sluice.async.BatchReader;
import io.sluice.async.LoopContext;
import io.sluice.model.BucketId;
import io.sluice.model.Placement;
import io.sluice.model.Placement.PlacedBucket;
import io.sluice.model.Sku;
import io.sluice.stock.BucketCode;
import io.sluice.stock.Stock;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.EmptyBucket;
import io.sluice.stock.StockStore.Snapshot;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether an empty bucket means that the SKU is sold out. All buckets are read twice, after
 * the refusal. They are not read at one instant, and a unit may move from one that was not read yet
 * to one that was. The SKU is sold out only if nothing has changed in between, and no unit is on
 * its way. Then all buckets know the same total of the SKU, and theirs add up to it. However many
 * requests are refused, one round of reads per SKU runs at a time, and one that has found units is
 * good for a short while.
 */
final class SoldOutCheck {
  /** No bucket has refused. */
  static final int NONE = -1;

  private static final int WAITING_MAX = 100_000;

  /** The maximum number of SKUs whose last finding is kept. */
  static final int RECENTS_MAX = 1_024;

  /**
   * How long a finding other than "sold out" holds for further refusals: a stampede for empty
   * buckets must not fill Redis with reads while units are on their way.
   */
  static final Duration KEPT_FOR = Duration.ofMillis(25);

  /** The result of a check. */
  sealed interface Finding {
    /**
     * Every bucket has less than somebody wants of it; at most one of them has anything. Thousands
     * of requests may wait for it, so it is worked out once.
     *
     * @param buckets as they were read the second time
     * @param sinceNanos a time before the second reading
     * @param filled those that have units
     * @param soldOutMs how long all of them stay sold out
     */
    record SoldOut(
        List<EmptyBucket> buckets,
        long sinceNanos,
        List<Borrowing.FilledBucket> filled,
        int soldOutMs)
        implements Finding {
      static SoldOut of(List<EmptyBucket> buckets, long sinceNanos) {
        List<Borrowing.FilledBucket> filled =
            IntStream.range(0, buckets.size())
                .mapToObj(
                    bucket -> new Borrowing.FilledBucket(bucket, buckets.get(bucket).available()))
                .filter(bucket -> bucket.units() > 0)
                .toList();
        int soldOutMs = buckets.stream().mapToInt(EmptyBucket::soldOutMs).min().orElse(0);
        return new SoldOut(buckets, sinceNanos, filled, soldOutMs);
      }
    }

    /**
     * Other buckets have units.
     *
     * @param buckets those that have, the one with most first
     */
    record Elsewhere(List<Borrowing.FilledBucket> buckets) implements Finding {}

    /** A bucket is not served now, or something has changed. */
    record Unclear() implements Finding {}
  }

  /** A finding after which no request is answered that the SKU is sold out. */
  private record Recent(Finding finding, long atNanos) {}

  private record Buckets(long skuId, Placement placement) {}

  private final Stock stock;
  private final LoopContext loop;
  private final Map<Long, Recent> recents = new LinkedHashMap<>();
  private final BatchReader<Buckets, Integer, Finding> rounds =
      new BatchReader<>(WAITING_MAX, WAITING_MAX, this::check);

  SoldOutCheck(Stock stock, LoopContext loop) {
    this.stock = stock;
    this.loop = loop;
  }

  /**
   * @param refusing a bucket that has just refused, of a SKU that has several; or {@link #NONE}
   */
  Future<Finding> of(Sku sku, int refusing) {
    Recent recent = recents.get(sku.skuId());
    return recent != null && loop.since(recent.atNanos()).compareTo(KEPT_FOR) < 0
        ? Future.succeededFuture(recent.finding())
        : rounds.read(new Buckets(sku.skuId(), sku.placement()), refusing);
  }

  private Future<Finding> check(Buckets sku, List<Integer> refusing) {
    return readTwice(sku, refusing)
        .onSuccess(
            finding -> {
              recents.remove(sku.skuId());
              if (!(finding instanceof Finding.SoldOut)) {
                if (recents.size() >= RECENTS_MAX) {
                  recents.remove(recents.keySet().iterator().next());
                }
                recents.put(sku.skuId(), new Recent(finding, loop.now()));
              }
            });
  }

  private Future<Finding> readTwice(Buckets sku, List<Integer> refusing) {
    return readAll(sku, (store, id) -> store.snapshot(id.id(), List.of(), 0))
        .compose(
            heads -> {
              List<Borrowing.FilledBucket> filled = filled(heads);
              if (filled.size() > 1
                  || !refusing.containsAll(
                      filled.stream().map(Borrowing.FilledBucket::bucket).toList())) {
                return Future.succeededFuture(new Finding.Elsewhere(filled));
              }
              return heads.stream().allMatch(SoldOutCheck::isServed)
                  ? again(sku, heads, filled.isEmpty())
                  : Future.succeededFuture(new Finding.Unclear());
            });
  }

  private static boolean isServed(@Nullable Snapshot head) {
    return head != null && head.code() == BucketCode.OK;
  }

  /** The buckets that have units, the one with most first. */
  private static List<Borrowing.FilledBucket> filled(List<@Nullable Snapshot> heads) {
    return IntStream.range(0, heads.size())
        .filter(bucket -> isServed(heads.get(bucket)))
        .mapToObj(bucket -> new Borrowing.FilledBucket(bucket, available(heads.get(bucket))))
        .filter(bucket -> bucket.units() > 0)
        .sorted(Comparator.comparingLong(Borrowing.FilledBucket::units).reversed())
        .toList();
  }

  private static long available(@Nullable Snapshot head) {
    return head == null ? 0 : head.available();
  }

  /**
   * @param empty whether all are empty, so that nothing new is granted for a while; a bucket that
   *     has less than somebody wants goes on granting it to others
   */
  private Future<Finding> again(Buckets sku, List<@Nullable Snapshot> before, boolean empty) {
    long sinceNanos = loop.now();
    return readAll(
            sku,
            (store, placed) ->
                empty
                    ? store.soldOut(placed.id())
                    : store
                        .snapshot(placed.id(), List.of(), 0)
                        .map(head -> EmptyBucket.of(head, 0)))
        .map(
            heads ->
                isUnchanged(before, heads) && addUp(heads)
                    ? Finding.SoldOut.of(List.copyOf(heads), sinceNanos)
                    : new Finding.Unclear());
  }

  private static boolean isUnchanged(
      List<@Nullable Snapshot> before, List<@Nullable EmptyBucket> now) {
    return IntStream.range(0, now.size())
        .allMatch(
            bucket -> {
              EmptyBucket head = now.get(bucket);
              Snapshot first = before.get(bucket);
              return head != null
                  && first != null
                  && head.equals(EmptyBucket.of(first, head.soldOutMs()));
            });
  }

  /** Whether all buckets know the same total of the SKU, and theirs add up to it. */
  private static boolean addUp(List<@Nullable EmptyBucket> heads) {
    long sum = heads.stream().mapToLong(head -> head == null ? 0 : head.total()).sum();
    return heads.stream().allMatch(head -> head != null && head.skuTotal() == sum);
  }

  /** Reads all buckets at once; null for one that could not be read. */
  private <T> Future<List<@Nullable T>> readAll(
      Buckets sku, BiFunction<StockStore, PlacedBucket, Future<T>> read) {
    List<Future<T>> asked = new ArrayList<>();
    for (int bucket = 0; bucket < sku.placement().partitions().size(); bucket++) {
      int partition = sku.placement().partitionOf(bucket);
      PlacedBucket placed = new PlacedBucket(partition, new BucketId(sku.skuId(), bucket));
      asked.add(read.apply(stock.at(partition), placed));
    }
    return Future.join(asked)
        .transform(
            ended -> {
              List<@Nullable T> heads = new ArrayList<>();
              asked.forEach(each -> heads.add(each.succeeded() ? each.result() : null));
              return Future.succeededFuture(heads);
            });
  }
}
