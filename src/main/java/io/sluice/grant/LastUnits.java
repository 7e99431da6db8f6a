package io.sluice.grant;

import io.micrometer.core.instrument.Counter;
import io.sluice.async.LoopContext;
import io.sluice.model.Placement.PlacedBucket;
import io.sluice.model.Sku;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How many requests an event loop has on their way to a bucket at its last units. At most {@code
 * factor} per unit left, so that a stampede for them does not fill Redis with requests that it must
 * refuse; 0 for any number. One per event loop.
 *
 * <p>A bucket is known here from a reply that is at LAST, on the bucket's part of the total, until
 * the first one that is not, or fails, or that found nothing left. Then leases decide. So no
 * request is refused while units are plentiful, and a restock counts from the next reply on. At
 * least {@code factor} requests are let in if none is on its way, so the next reply always comes.
 */
final class LastUnits {
  /** The maximum number of buckets known; a bucket that is not known has no limit. */
  static final int BUCKETS_MAX = 4_096;

  /** How long a reply counts if nobody asks after it: as long as a lease. */
  static final Duration KEPT_FOR = Duration.ofMillis(StockStore.SOLD_OUT_MAX_MS);

  private static final int PERCENT = 100;

  private final int factor;
  private final LoopContext loop;
  private final Counter refusals;

  /** In the order of their first reply at LAST. */
  private final Map<PlacedBucket, Last> buckets = new LinkedHashMap<>();

  private static final class Last {
    long most;
    long underWay;
    long repliedNanos;
  }

  /**
   * @param refusals counts the requests that were not let in
   */
  LastUnits(int factor, LoopContext loop, Counter refusals) {
    this.factor = factor;
    this.loop = loop;
    this.refusals = refusals;
  }

  /** The first of these requests, which are sent now; the others are answered. */
  List<GrantRequest> letIn(PlacedBucket bucket, List<GrantRequest> requests) {
    Last last = buckets.isEmpty() ? null : buckets.get(bucket);
    if (last == null) {
      return requests;
    }
    if (last.underWay == 0 && loop.since(last.repliedNanos).compareTo(KEPT_FOR) >= 0) {
      buckets.remove(bucket);
      return requests;
    }
    int in = (int) Math.min(requests.size(), Math.max(0, last.most - last.underWay));
    List<GrantRequest> others = requests.subList(in, requests.size());
    others.forEach(request -> request.answer(Refusals.LAST_UNITS));
    refusals.increment(others.size());
    last.underWay += in;
    return requests.subList(0, in);
  }

  /**
   * Takes over what a reply says is left.
   *
   * @param answered the number of requests that it answers
   */
  void note(Sku sku, PlacedBucket bucket, int answered, ReserveReply reply) {
    if (factor == 0 || !isLast(sku, reply.available())) {
      forget(bucket);
      return;
    }
    Last last = buckets.get(bucket);
    if (last == null) {
      if (buckets.size() >= BUCKETS_MAX) {
        buckets.remove(buckets.keySet().iterator().next());
      }
      last = new Last();
      buckets.put(bucket, last);
    }
    // Calls that were sent before the first reply at LAST are not counted.
    last.underWay = Math.max(0, last.underWay - answered);
    last.most = reply.available() * factor;
    last.repliedNanos = loop.now();
  }

  /** The units left in this bucket are not known, or enough. */
  void forget(PlacedBucket bucket) {
    if (!buckets.isEmpty()) {
      buckets.remove(bucket);
    }
  }

  private static boolean isLast(Sku sku, long available) {
    return available > 0
        && available * PERCENT * sku.buckets()
            <= sku.stockNow() * sku.settings().marks().lastPercent();
  }
}
