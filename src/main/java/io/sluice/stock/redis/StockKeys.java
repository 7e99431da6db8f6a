package io.sluice.stock.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.sluice.model.BucketId;

/**
 * The keys of a bucket in Redis; no other class spells them. All have the same hash tag, so that
 * they are in one slot of a cluster. Every script gets all four, in this order.
 */
record StockKeys(byte[] stock, byte[] reserve, byte[] unbooked, byte[] buyers) {
  static final int COUNT = 4;

  static StockKeys of(BucketId bucket) {
    String tag = ":{" + bucket.skuId() + ":" + bucket.bucket() + "}";
    return new StockKeys(
        key("stock", tag), key("reserve", tag), key("unbooked", tag), key("buyers", tag));
  }

  /** Copies the keys into the array, in their order, and returns the index after them. */
  int copyTo(Object[] all, int from) {
    all[from] = stock;
    all[from + 1] = reserve;
    all[from + 2] = unbooked;
    all[from + 3] = buyers;
    return from + COUNT;
  }

  private static byte[] key(String name, String tag) {
    return (name + tag).getBytes(US_ASCII);
  }
}
