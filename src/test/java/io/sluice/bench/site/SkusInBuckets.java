package io.sluice.bench.site;

import io.vertx.core.Vertx;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/** The SKUs of a site that may have several buckets. */
public final class SkusInBuckets {
  private final Site site;
  private final Map<Long, Integer> buckets = new HashMap<>();

  SkusInBuckets(Site site) {
    this.site = site;
  }

  /** Creates one; returns its id. */
  public long put(int inBuckets, long units) {
    long sku = site.nextSku();
    Vertx vertx = Vertx.vertx();
    try {
      new NewSkus(vertx, site.caller(), site.service().adminUrl())
          .putInBuckets(sku, units, inBuckets);
    } finally {
      vertx.close();
    }
    buckets.put(sku, inBuckets);
    return sku;
  }

  /** Units that Redis would grant. */
  long available(long skuId) {
    return bucketsOf(skuId).mapToLong(bucket -> site.stock().available(skuId, bucket)).sum();
  }

  /** Grants of these SKUs that are not known to be in the ledger. */
  long unbooked(Collection<Long> skuIds) {
    return skuIds.stream()
        .mapToLong(
            sku -> bucketsOf(sku).mapToLong(bucket -> site.stock().unbooked(sku, bucket)).sum())
        .sum();
  }

  private IntStream bucketsOf(long skuId) {
    return IntStream.range(0, buckets.getOrDefault(skuId, 1));
  }
}
