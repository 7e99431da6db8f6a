package io.sluice.stock.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.sluice.model.BucketId;

/**
 * The keys of a bucket in Redis; no other class spells them. All keys of a partition have the same
 * hash tag, so that they are in one slot of a cluster. Every script gets all four, in this order.
 */
record StockKeys(byte[] stock, byte[] reserve, byte[] unbooked, byte[] buyers) {
  static final int COUNT = 4;

  /** The slots of a Redis Cluster: each key is in that of its hash tag. */
  static final int SLOTS = 16_384;

  /** CRC-16/XMODEM, which gives the slot of a tag. */
  private static final int POLYNOMIAL = 0x1021;

  private static final int MASK = 0xffff;

  static StockKeys of(int partition, BucketId bucket) {
    return tagged(":{" + tag(partition) + "}:" + bucket.skuId() + ":" + bucket.bucket());
  }

  /** The part of a partition's keys that decides their slot in a cluster. */
  static String tag(int partition) {
    return "p" + partition;
  }

  /** The slot of all keys of a partition. */
  static int slot(int partition) {
    int crc = 0;
    for (byte each : tag(partition).getBytes(US_ASCII)) {
      crc ^= each << Byte.SIZE;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        crc = (crc & 0x8000) == 0 ? crc << 1 : (crc << 1) ^ POLYNOMIAL;
      }
      crc &= MASK;
    }
    return crc % SLOTS;
  }

  /**
   * A hash that names the ledger whose stock is there. In the slot of the partition; no bucket's.
   */
  static byte[] ledger(int partition) {
    return key("stock", ":{" + tag(partition) + "}:ledger");
  }

  private static StockKeys tagged(String tail) {
    return new StockKeys(
        key("stock", tail), key("reserve", tail), key("unbooked", tail), key("buyers", tail));
  }

  /** Copies the keys into the array, in their order, and returns the index after them. */
  int copyTo(Object[] all, int from) {
    all[from] = stock;
    all[from + 1] = reserve;
    all[from + 2] = unbooked;
    all[from + 3] = buyers;
    return from + COUNT;
  }

  private static byte[] key(String name, String tail) {
    return (name + tail).getBytes(US_ASCII);
  }
}
