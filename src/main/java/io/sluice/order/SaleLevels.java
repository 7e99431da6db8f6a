package io.sluice.order;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.async.BatchReader.QueueFullException;
import io.sluice.async.LoopContext;
import io.sluice.async.TimerQueue;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SaleLedger.Member;
import io.sluice.ledger.SaleLedger.Seen;
import io.sluice.model.Sale;
import io.sluice.model.SkuState;
import io.sluice.order.SkuLevels.SkuLevel;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sales for all callers, with the levels of some of their SKUs; cached for a second. One per event
 * loop.
 */
public final class SaleLevels {
  /** How many SKUs a page has at most. */
  public static final int PAGE_MAX = 100;

  /** A page ends with the SKU that reaches this number of buckets. */
  static final int BUCKETS_A_PAGE = 512;

  /** Pages that are read at the same time; more are refused. */
  static final int READS_MAX = 8;

  private static final int PAGES_MAX = 1_000;

  private final SaleLedger sales;
  private final LongFunction<Future<Optional<SkuLevel>>> levels;
  private final LoopContext loop;
  private final TimerQueue deadlines;
  private final Cache<Place, SkuLevels.Kept<Page>> kept =
      Caffeine.newBuilder().maximumSize(PAGES_MAX).executor(Runnable::run).build();
  private int reading;

  /** A page of the SKUs of a sale. */
  private record Place(String saleId, long afterSkuId, int limit) {}

  /**
   * A sale and some of its SKUs.
   *
   * @param nowMs the ledger's clock when it was read, which was at {@code readNanos}
   * @param nextAfter where the next page begins, or null if there is none
   */
  private record Page(
      Sale sale, long nowMs, long readNanos, List<SkuLevel> skus, @Nullable Long nextAfter) {}

  /**
   * A sale as its buyers see it now.
   *
   * @param nextAfter where the next page begins, or null if there is none
   */
  public record SaleLevel(
      Sale sale, SkuState state, List<SkuLevel> skus, @Nullable Long nextAfter) {}

  /**
   * @param levels {@link SkuLevels#level}
   */
  public SaleLevels(
      SaleLedger sales, LongFunction<Future<Optional<SkuLevel>>> levels, LoopContext loop) {
    this.sales = sales;
    this.levels = levels;
    this.loop = loop;
    this.deadlines = new TimerQueue(loop);
  }

  /**
   * The sale with up to {@code limit} of its SKUs after {@code afterSkuId}; empty if there is none,
   * failed if it cannot be read now.
   */
  public Future<Optional<SaleLevel>> level(String saleId, long afterSkuId, int limit) {
    Place place = new Place(saleId, afterSkuId, limit);
    SkuLevels.Kept<Page> before = kept.getIfPresent(place);
    if (before == null || !before.isGood(loop)) {
      if (reading >= READS_MAX) {
        return Future.failedFuture(new QueueFullException(READS_MAX));
      }
      before = new SkuLevels.Kept<>(loop.now(), read(place));
      kept.put(place, before);
    }
    return before.answer().map(page -> page.map(this::now));
  }

  /** Its state follows the clock, however old what was read is. */
  private SaleLevel now(Page page) {
    long nowMs = page.nowMs() + loop.since(page.readNanos()).toMillis();
    return new SaleLevel(page.sale(), page.sale().at(nowMs), page.skus(), page.nextAfter());
  }

  private Future<Optional<Page>> read(Place place) {
    reading++;
    long startNanos = loop.now();
    return deadlines
        .within(
            SkuCatalog.READ_MAX,
            sales
                .sale(place.saleId())
                .compose(
                    seen ->
                        seen.isEmpty()
                            ? Future.succeededFuture(Optional.<Page>empty())
                            : page(place, seen.get(), startNanos).map(Optional::of)))
        .onComplete(read -> reading--);
  }

  private Future<Page> page(Place place, Seen seen, long startNanos) {
    return sales
        .members(place.saleId(), place.afterSkuId(), place.limit())
        .compose(
            found -> {
              List<Member> skus = cut(found);
              List<Future<Optional<SkuLevel>>> each = skus.stream().map(this::levelOf).toList();
              boolean more = skus.size() < found.size() || found.size() == place.limit();
              Long next = more ? (Long) skus.get(skus.size() - 1).sku().skuId() : null;
              return Future.all(each)
                  .map(
                      all ->
                          new Page(
                              seen.sale(),
                              seen.nowMs(),
                              startNanos,
                              each.stream().flatMap(one -> one.result().stream()).toList(),
                              next));
            });
  }

  /** A SKU that is in a later sale has the level with which it has left this one. */
  private Future<Optional<SkuLevel>> levelOf(Member member) {
    return member.isCurrent()
        ? levels.apply(member.sku().skuId())
        : Future.succeededFuture(Optional.of(SkuLevel.of(member)));
  }

  private static List<Member> cut(List<Member> found) {
    List<Member> skus = new ArrayList<>();
    int buckets = 0;
    for (Member member : found) {
      if (buckets >= BUCKETS_A_PAGE) {
        break;
      }
      buckets += member.isCurrent() ? member.sku().buckets() : 0;
      skus.add(member);
    }
    return skus;
  }
}
