package io.sluice.admission;

import java.security.SecureRandom;

/**
 * A keyed 64-bit hash of short texts, without allocation: a polynomial over the field of 2^61 - 1
 * at a secret point. Two texts of at most 128 characters collide with a probability below 2^-56,
 * and two that do cannot be chosen without the secret.
 */
final class SecretHash {
  private static final long PRIME = (1L << 61) - 1;

  /** Seven bytes are less than the prime. */
  private static final int CHUNK = 7;

  private final long point;
  private final long mask;

  SecretHash(SecureRandom random) {
    this.point = 2 + random.nextLong(PRIME - 2);
    this.mask = random.nextLong();
  }

  /** The hash of a text of visible ASCII characters. */
  long of(String text) {
    long hash = text.length() + 1L;
    int length = text.length();
    for (int at = 0; at < length; at += CHUNK) {
      long word = 0;
      int end = Math.min(at + CHUNK, length);
      for (int i = at; i < end; i++) {
        word = (word << 8) | (text.charAt(i) & 0xff);
      }
      hash = times(hash, point) + word;
    }
    return mixed(times(hash % PRIME, point) ^ mask);
  }

  /** The hash of a hash and a number. */
  long of(long hash, long number) {
    return mixed(hash + mixed(number ^ mask));
  }

  /** The product modulo the prime; the operands are below 2^62. */
  private static long times(long a, long b) {
    long reduced = a >= PRIME ? a - PRIME : a;
    long high = Math.multiplyHigh(reduced, b);
    long low = reduced * b;
    long sum = (low & PRIME) + ((low >>> 61) | (high << 3));
    return sum >= PRIME ? sum - PRIME : sum;
  }

  /** Spreads each bit over all bits; the finalizer of SplitMix64. */
  private static long mixed(long bits) {
    long z = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
