package io.sluice.reservation.grant;

import java.util.Arrays;

/**
 * A set of texts of which only 64 bits each are kept: what is in it is always found, what is not is
 * taken for it once in a great many times.
 */
final class Fingerprints {
  private static final int CAPACITY_MIN = 64;
  private static final long OFFSET = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  /** Open addressing, at most half full; 0 is a free place. */
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
