package io.sluice.model;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * SipHash-2-4 with a 128-bit result (Aumasson and Bernstein, 2012, and the reference
 * implementation's double-length variant): a short-input keyed hash. Tested with the test vectors
 * of the reference.
 */
public final class SipHash128 {
  private static final int ROUNDS = 2;
  private static final int FINAL_ROUNDS = 4;

  private final long k0;
  private final long k1;

  /**
   * @param key 16 bytes
   */
  public SipHash128(byte[] key) {
    if (key.length != 16) {
      throw new IllegalArgumentException("Expected a key of 16 bytes, but got " + key.length);
    }
    ByteBuffer halves = ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN);
    this.k0 = halves.getLong();
    this.k1 = halves.getLong();
  }

  /** 16 bytes. */
  public byte[] hash(byte[] input) {
    State s = new State(k0, k1);
    ByteBuffer words = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN);
    while (words.remaining() >= Long.BYTES) {
      s.absorb(words.getLong());
    }
    long last = (long) input.length << 56;
    for (int shift = 0; words.hasRemaining(); shift += 8) {
      last |= (words.get() & 0xffL) << shift;
    }
    s.absorb(last);
    ByteBuffer result = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    s.v2 ^= 0xee;
    result.putLong(s.squeeze());
    s.v1 ^= 0xdd;
    result.putLong(s.squeeze());
    return result.array();
  }

  private static final class State {
    long v0;
    long v1;
    long v2;
    long v3;

    State(long k0, long k1) {
      v0 = k0 ^ 0x736f6d6570736575L;
      v1 = k1 ^ 0x646f72616e646f6dL ^ 0xee;
      v2 = k0 ^ 0x6c7967656e657261L;
      v3 = k1 ^ 0x7465646279746573L;
    }

    void absorb(long word) {
      v3 ^= word;
      rounds(ROUNDS);
      v0 ^= word;
    }

    long squeeze() {
      rounds(FINAL_ROUNDS);
      return v0 ^ v1 ^ v2 ^ v3;
    }

    private void rounds(int count) {
      for (int i = 0; i < count; i++) {
        v0 += v1;
        v2 += v3;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 = Long.rotateLeft(v0, 32);
        v2 += v1;
        v0 += v3;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v2 = Long.rotateLeft(v2, 32);
      }
    }
  }
}
