package io.sluice.stock.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** The slots of a Redis Cluster: each key is in that of its hash tag. */
final class HashSlot {
  static final int COUNT = 16_384;

  /** CRC-16/XMODEM. */
  private static final int POLYNOMIAL = 0x1021;

  private static final int MASK = 0xffff;

  private HashSlot() {}

  /** The slot of all keys of a partition. */
  static int of(int partition) {
    int crc = 0;
    for (byte each : StockKeys.tag(partition).getBytes(US_ASCII)) {
      crc ^= each << Byte.SIZE;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        crc = (crc & 0x8000) == 0 ? crc << 1 : (crc << 1) ^ POLYNOMIAL;
      }
      crc &= MASK;
    }
    return crc % COUNT;
  }
}
