package io.sluice.reservation.grant;

import io.sluice.async.LoopContext;
import io.sluice.model.BucketId;
import io.sluice.model.Sku;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.ReserveReply.Contents;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Request;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What one event loop may answer "sold out" without asking Redis; docs/design.md section 9.
 *
 * <p>A {@code reserve} that finds nothing available makes its bucket sold out: Redis itself grants
 * no new token there for a quarter of a second, whoever asks, also if units come back. Each answer
 * of that time says how much of it is left and, as epoch and {@code claimed}, which tokens the
 * bucket has. Until then, counted from before the question was sent, this is safe to say without
 * Redis:
 *
 * <ul>
 *   <li><b>Nobody could have been granted the unit.</b> Redis would have refused every token that
 *       it does not know. A unit that came back waits there as well; when the time is over, the
 *       next question goes to Redis and gets it. So a unit is on sale again everywhere within twice
 *       that time, without anybody being told.
 *   <li><b>No holder is refused.</b> Only a token that is absent from a complete copy of the
 *       bucket's tokens is answered here. While the bucket is sold out, its tokens stay as they
 *       are; before, each new one raised {@code claimed} or came with another epoch. So a copy of
 *       the very contents that the lease names has every token that was ever granted, on whichever
 *       instance, and holders always reach Redis. Without such a copy everybody does.
 *   <li><b>It is not some other no.</b> A lease comes from an open bucket only. Where a limit is
 *       set, a buyer who holds anything in it, or wants more than the limit, goes to Redis as well.
 *   <li><b>No other bucket has a unit.</b> Where there are several, each must be sold out at this
 *       moment.
 * </ul>
 *
 * <p>It trusts Redis' clock to run at the right speed for a quarter of a second. A clock that is
 * set back ends the time of grace in Redis at once; one that is set forward by that much could let
 * a token in early, whose holder may then be refused for the rest of that quarter of a second.
 */
final class SoldOutLeases {
  /** SKUs whose buckets are remembered at once. */
  static final int SKUS_MAX = 1_024;

  /** Tokens and buyers in all copies of an event loop: 32 MiB at most. */
  static final int COPIED_MAX = 2_000_000;

  /** Redis counts whole milliseconds, and its clock need not run exactly as fast as ours. */
  static final int MARGIN_MS = 5;

  private final StockStore stock;
  private final LoopContext loop;

  /** By SKU, in the order of their last lease; of a bucket that had none there is none. */
  private final Map<Long, @Nullable Lease[]> skus = new LinkedHashMap<>();

  private static final class Lease {
    final TokenReplica copy;
    Contents contents = Contents.UNKNOWN;
    long endNanos;
    boolean given;

    Lease(TokenReplica copy) {
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

  SoldOutLeases(StockStore stock, LoopContext loop) {
    this.stock = stock;
    this.loop = loop;
  }

  /** Whether Redis would certainly answer this request with "sold out" now, in every bucket. */
  boolean isSoldOut(Sku sku, Request request) {
    if (skus.isEmpty()) {
      return false;
    }
    @Nullable Lease[] buckets = skus.get(sku.skuId());
    if (buckets == null) {
      return false;
    }
    long now = loop.now();
    for (Lease lease : buckets) {
      if (lease == null || !lease.isHeld(now)) {
        return false;
      }
    }
    return Objects.requireNonNull(buckets[request.token().bucket()]).covers(request);
  }

  /**
   * Notes what came with an answer.
   *
   * @param sentNanos when the question was not yet sent
   */
  void note(Sku sku, BucketId bucket, long sentNanos, ReserveReply reply) {
    Lease lease = leaseOf(sku, bucket, reply.soldOutMs() > MARGIN_MS);
    if (lease == null) {
      return;
    }
    lease.copy.note(reply);
    lease.given = reply.soldOutMs() > MARGIN_MS;
    if (lease.given) {
      lease.endNanos = sentNanos + TimeUnit.MILLISECONDS.toNanos(reply.soldOutMs() - MARGIN_MS);
      lease.contents = reply.contents();
      if (!lease.copy.isOf(lease.contents) && copied() < COPIED_MAX) {
        lease.copy.read();
      }
    }
  }

  /**
   * The lease of this bucket, made where {@code wanted}; its SKU is now the last to be forgotten.
   */
  private @Nullable Lease leaseOf(Sku sku, BucketId bucket, boolean wanted) {
    @Nullable Lease[] buckets = wanted ? skus.remove(sku.skuId()) : skus.get(sku.skuId());
    if (!wanted) {
      return buckets == null ? null : buckets[bucket.bucket()];
    }
    if (buckets == null) {
      buckets = new Lease[sku.buckets()];
    }
    if (skus.size() >= SKUS_MAX) {
      skus.remove(skus.keySet().iterator().next());
    }
    skus.put(sku.skuId(), buckets);
    Lease lease = buckets[bucket.bucket()];
    if (lease == null) {
      lease = new Lease(new TokenReplica(bucket, stock, loop));
      buckets[bucket.bucket()] = lease;
    }
    return lease;
  }

  private long copied() {
    Collection<@Nullable Lease[]> all = skus.values();
    return all.stream()
        .flatMap(Arrays::stream)
        .filter(Objects::nonNull)
        .mapToLong(lease -> lease.copy.size())
        .sum();
  }
}
