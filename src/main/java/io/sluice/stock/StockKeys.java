package io.sluice.stock;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.sluice.model.BucketId;

/**
 * The keys of a bucket in Redis, the only place that spells them. All carry one hash tag, so that
 * one script runs in one slot of a cluster. Every script gets all four, in this order.
 */
record StockKeys(byte[] stock, byte[] reserve, byte[] unbooked, byte[] buyers) {
  static final int COUNT = 4;

  static StockKeys of(BucketId bucket) {
    String tag = ":{" + bucket.skuId() + ":" + bucket.bucket() + "}";
    return new StockKeys(
        key("stock", tag), key("reserve", tag), key("unbooked", tag), key("buyers", tag));
  }

  private static byte[] key(String name, String tag) {
    return (name + tag).getBytes(US_ASCII);
  }
}
