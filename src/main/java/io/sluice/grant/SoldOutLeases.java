package io.sluice.grant;

import io.micrometer.core.instrument.Counter;
import io.sluice.async.LoopContext;
import io.sluice.grant.SoldOutCheck.Finding;
import io.sluice.metrics.Meters;
import io.sluice.model.BucketId;
import io.sluice.model.Placement.PlacedBucket;
import io.sluice.model.Sku;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.ReserveReply.Contents;
import io.sluice.stock.Stock;
import io.sluice.stock.StockStore.EmptyBucket;
import io.sluice.stock.StockStore.Request;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Leases under which one event loop may answer "sold out" without asking Redis; docs/design.md
 * section 9.
 *
 * <p>A {@code reserve} that finds nothing available makes its bucket sold out: Redis grants no new
 * token there for 250 ms, to no instance, even if units are returned. Each reply during that time
 * has the time that remains and, as epoch and {@code claimed}, the state of the bucket's token set.
 * Until the lease expires, counted from before the request was sent, the answer is safe without
 * Redis:
 *
 * <ul>
 *   <li><b>Nobody is refused who could have been granted.</b> Redis would have refused every token
 *       that it does not know. A returned unit waits as well; after the lease has expired, the next
 *       request goes to Redis and gets it. So a unit is on sale again everywhere within twice the
 *       time of a lease, without any notification.
 *   <li><b>No holder is refused.</b> Only a token that is absent from a complete copy of the
 *       bucket's tokens is answered here. While the bucket is sold out, its token set does not
 *       change; before that, each new token raised {@code claimed} or came with another epoch. So a
 *       copy with exactly the epoch and {@code claimed} of the lease has every token that was ever
 *       granted, on any instance, and holders always reach Redis. Without such a copy every request
 *       goes to Redis.
 *   <li><b>No other refusal is hidden.</b> Only an open bucket gives a lease. If a limit is set, a
 *       buyer who holds anything, or asks for more than the limit, goes to Redis as well.
 *   <li><b>No other bucket has a unit.</b> If there are several, {@code reserve} gives no lease,
 *       since a unit may move from one to another meanwhile. A {@link SoldOutCheck} gives it, which
 *       has found all of them empty and has made all of them sold out for that time.
 * </ul>
 *
 * <p>It relies on the clock of Redis to run at the right speed for 250 ms. Setting that clock back
 * ends the sold-out time in Redis at once. Setting it forward by as much could admit a token early,
 * whose holder may be refused until the lease expires.
 */
final class SoldOutLeases {
  /** The maximum number of SKUs with leases. */
  static final int SKUS_MAX = 1_024;

  /** Redis counts whole milliseconds, and its clock may run at a slightly different speed. */
  static final int MARGIN_MS = 5;

  private final Stock stock;
  private final LoopContext loop;
  private final Counter given;
  private final Counter refusals;
  private final TokenReplica.CopySpace space = new TokenReplica.CopySpace();

  /** By SKU, in the order of their last lease; null for a bucket that had none. */
  private final Map<Long, @Nullable Lease[]> skus = new LinkedHashMap<>();

  private static final class Lease {
    final int partition;
    final TokenReplica copy;
    Contents contents = Contents.UNKNOWN;
    long endNanos;
    boolean given;

    Lease(int partition, TokenReplica copy) {
      this.partition = partition;
      this.copy = copy;
    }

    boolean isHeld(long now) {
      return given && endNanos - now > 0;
    }

    boolean covers(Request request) {
      return copy.isOf(contents)
          && !copy.mayHave(request.token())
          && (contents.limitPerUser() == 0
              || (request.qty() <= contents.limitPerUser()
                  && !copy.mayHaveBuyer(request.userId())));
    }
  }

  SoldOutLeases(Stock stock, LoopContext loop, Meters meters) {
    this.stock = stock;
    this.loop = loop;
    this.given = meters.leases();
    this.refusals = meters.leaseRefusals();
  }

  /** The first line for which {@link #isSoldOut} says yes; -1 for none. */
  int soldOutLine(List<Sku> lines, Request request) {
    for (int line = 0; line < lines.size() && !skus.isEmpty(); line++) {
      if (isSoldOut(lines.get(line), request.line(line))) {
        return line;
      }
    }
    return -1;
  }

  /** Whether Redis would certainly answer this request for one line with "sold out" now. */
  boolean isSoldOut(Sku sku, Request request) {
    if (skus.isEmpty()) {
      return false;
    }
    @Nullable Lease[] buckets = skus.get(sku.skuId());
    if (buckets == null) {
      return false;
    }
    Lease lease = buckets[request.token().bucket()];
    if (lease == null || !lease.isHeld(loop.now())) {
      return false;
    }
    boolean covered = lease.covers(request);
    if (covered) {
      refusals.increment();
    }
    return covered;
  }

  /**
   * Takes over the lease of a reply.
   *
   * @param sentNanos a time before the request was sent
   */
  void note(Sku sku, PlacedBucket bucket, long sentNanos, ReserveReply reply) {
    boolean single = sku.buckets() == 1;
    Lease lease = leaseOf(sku, bucket, single && reply.soldOutMs() > MARGIN_MS);
    if (lease == null) {
      return;
    }
    lease.copy.note(reply);
    if (single) {
      give(lease, sentNanos, reply.soldOutMs(), reply.contents());
    }
  }

  /**
   * Takes over the lease of a bucket of a SKU that has several, as long as the shortest of them.
   *
   * @param found that all of them were empty
   */
  void note(Sku sku, PlacedBucket bucket, Finding.SoldOut found) {
    Lease lease = leaseOf(sku, bucket, found.soldOutMs() > MARGIN_MS);
    if (lease != null) {
      EmptyBucket own = found.buckets().get(bucket.id().bucket());
      give(lease, found.sinceNanos(), found.soldOutMs(), own.contents());
    }
  }

  private void give(Lease lease, long sentNanos, int soldOutMs, Contents contents) {
    lease.given = soldOutMs > MARGIN_MS;
    if (lease.given) {
      given.increment();
      lease.endNanos = sentNanos + TimeUnit.MILLISECONDS.toNanos(soldOutMs - MARGIN_MS);
      lease.contents = contents;
      if (!lease.copy.isOf(lease.contents)) {
        lease.copy.read();
        if (space.isFull()) {
          makeRoom();
        }
      }
    }
  }

  /**
   * The lease of this bucket, created if {@code wanted}. Its SKU becomes the last to be evicted.
   */
  private @Nullable Lease leaseOf(Sku sku, PlacedBucket placed, boolean wanted) {
    BucketId bucket = placed.id();
    @Nullable Lease[] buckets = wanted ? skus.remove(sku.skuId()) : skus.get(sku.skuId());
    if (!wanted) {
      return buckets == null ? null : buckets[bucket.bucket()];
    }
    if (buckets == null) {
      buckets = new Lease[sku.buckets()];
    }
    if (skus.size() >= SKUS_MAX) {
      evict(skus.keySet().iterator().next());
    }
    skus.put(sku.skuId(), buckets);
    Lease lease = buckets[bucket.bucket()];
    if (lease != null && lease.partition == placed.partition()) {
      return lease;
    }
    // Its SKU may be in another partition in its next sale.
    drop(lease);
    int partition = placed.partition();
    Lease fresh = new Lease(partition, new TokenReplica(bucket, stock.at(partition), loop, space));
    buckets[bucket.bucket()] = fresh;
    return fresh;
  }

  /** Drops the copy of the SKU whose last lease was the first to be given, if it is over. */
  private void makeRoom() {
    var eldest = skus.entrySet().iterator().next();
    boolean isHeld =
        Arrays.stream(eldest.getValue())
            .anyMatch(lease -> lease != null && lease.isHeld(loop.now()));
    if (!isHeld) {
      evict(eldest.getKey());
    }
  }

  private void evict(long skuId) {
    @Nullable Lease[] buckets = skus.remove(skuId);
    if (buckets != null) {
      Arrays.stream(buckets).forEach(SoldOutLeases::drop);
    }
  }

  private static void drop(@Nullable Lease lease) {
    if (lease != null) {
      lease.copy.drop();
    }
  }
}
