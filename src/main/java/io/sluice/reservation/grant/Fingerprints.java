package io.sluice.reservation.grant;

import java.util.Arrays;

/**
 * A set of texts that stores 64 bits of each. A text in the set is always found; one that is not in
 * it is found by mistake only with very low probability.
 */
final class Fingerprints {
  private static final int CAPACITY_MIN = 64;
  private static final long OFFSET = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  /** Open addressing, at most half full; 0 marks a free slot. */
  private long[] places = new long[CAPACITY_MIN];

  private int size;

  void add(String text) {
    if (2 * (size + 1) > places.length) {
      grow();
    }
    if (put(fingerprint(text))) {
      size++;
    }
  }

  boolean mayContain(String text) {
    long fingerprint = fingerprint(text);
    int at = place(fingerprint);
    while (places[at] != 0) {
      if (places[at] == fingerprint) {
        return true;
      }
      at = (at + 1) & (places.length - 1);
    }
    return false;
  }

  int size() {
    return size;
  }

  private boolean put(long fingerprint) {
    int at = place(fingerprint);
    while (places[at] != 0) {
      if (places[at] == fingerprint) {
        return false;
      }
      at = (at + 1) & (places.length - 1);
    }
    places[at] = fingerprint;
    return true;
  }

  private void grow() {
    long[] before = places;
    places = new long[2 * before.length];
    Arrays.stream(before).filter(fingerprint -> fingerprint != 0).forEach(this::put);
  }

  private int place(long fingerprint) {
    return (int) fingerprint & (places.length - 1);
  }

  /** FNV-1a with a finalizer; never 0. */
  private static long fingerprint(String text) {
    long hash = OFFSET;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * PRIME;
    }
    hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    hash ^= hash >>> 33;
    return hash == 0 ? 1 : hash;
  }
}
