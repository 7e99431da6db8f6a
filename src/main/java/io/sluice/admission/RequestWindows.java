package io.sluice.admission;

/**
 * The requests of each buyer in the last minute: exact, by the time of each. A request key counts
 * once a minute, so its retries are free; so does a key that was refused. Thread-safe.
 *
 * <p>A slot holds, oldest first, one word per key: when it was first counted, a part of its hash,
 * and whether it was refused. Bounded as {@link SlotTable} says. While more buyers order than it
 * has slots, those with the fewest requests are forgotten first.
 */
final class RequestWindows extends SlotTable {
  static final long WINDOW_MS = 60_000;

  private static final int KEY_BITS = 23;
  private static final long KEY_MASK = (1L << KEY_BITS) - 1;
  private static final long REFUSED = 1L << KEY_BITS;
  private static final int TIME_SHIFT = KEY_BITS + 1;

  private final int limit;
  private final int overrunsMax;
  private final int slotWords;

  /** The outcome of a request. */
  sealed interface Outcome {
    /** It is within the limit. */
    enum Admitted implements Outcome {
      COUNTED,
      /** Its key was counted before. */
      REPEATED,
      /** There is no slot for its buyer. */
      UNCOUNTED
    }

    /**
     * It is over the limit.
     *
     * @param overruns how many keys were refused in the last minute, with this one
     * @param fresh whether this key was not refused in that time before
     */
    record Refused(long retryAfterMs, int overruns, boolean fresh) implements Outcome {}
  }

  /**
   * @param limit keys per minute, at least 1
   * @param overrunsMax the number of refused keys that are remembered per buyer
   */
  RequestWindows(int limit, int overrunsMax) {
    super(1 + limit + overrunsMax);
    this.limit = limit;
    this.overrunsMax = overrunsMax;
    this.slotWords = 1 + limit + overrunsMax;
  }

  /**
   * Counts a request.
   *
   * @param id the hash of the buyer, not 0
   * @param key the hash of the request
   * @param nowMs of a monotonic clock, more than 0
   */
  Outcome admit(long id, long key, long nowMs) {
    long part = key & KEY_MASK;
    synchronized (lock(id)) {
      int slot = findOrClaim(id, nowMs);
      return slot == NONE ? Outcome.Admitted.UNCOUNTED : admit(slot, part, nowMs);
    }
  }

  private Outcome admit(int slot, long part, long nowMs) {
    int end = dropExpired(slot, nowMs);
    int counted = 0;
    boolean refusedBefore = false;
    long oldest = 0;
    for (int at = slot + 1; at < end; at++) {
      boolean refused = (words[at] & REFUSED) != 0;
      boolean same = (words[at] & KEY_MASK) == part;
      if (!refused) {
        if (same) {
          return Outcome.Admitted.REPEATED;
        }
        oldest = counted++ == 0 ? time(words[at]) : oldest;
      } else if (same) {
        refusedBefore = true;
      }
    }
    if (counted < limit) {
      words[end] = nowMs << TIME_SHIFT | part;
      return Outcome.Admitted.COUNTED;
    }
    int overruns = end - slot - 1 - counted;
    boolean fresh = !refusedBefore;
    if (fresh && overruns < overrunsMax) {
      words[end] = nowMs << TIME_SHIFT | REFUSED | part;
    }
    return new Outcome.Refused(oldest + WINDOW_MS - nowMs, overruns + (fresh ? 1 : 0), fresh);
  }

  /** Whether {@link #admit} would find this key counted. Changes nothing. */
  boolean isCounted(long id, long key, long nowMs) {
    synchronized (lock(id)) {
      int slot = find(id);
      if (slot == NONE) {
        return false;
      }
      long part = key & KEY_MASK;
      for (int at = slot + 1; at < slot + slotWords && words[at] != 0; at++) {
        if ((words[at] & (REFUSED | KEY_MASK)) == part && counts(words[at], nowMs)) {
          return true;
        }
      }
      return false;
    }
  }

  /** Takes back what {@link #admit} has counted. */
  void withdraw(long id, long key) {
    synchronized (lock(id)) {
      int slot = find(id);
      if (slot == NONE) {
        return;
      }
      long part = key & KEY_MASK;
      int end = slot + slotWords;
      for (int at = slot + 1; at < end && words[at] != 0; at++) {
        if ((words[at] & (REFUSED | KEY_MASK)) == part) {
          System.arraycopy(words, at + 1, words, at, end - at - 1);
          words[end - 1] = 0;
          return;
        }
      }
    }
  }

  /** Forgets a buyer's requests. */
  void forget(long id) {
    synchronized (lock(id)) {
      int slot = find(id);
      if (slot != NONE) {
        free(slot);
      }
    }
  }

  /** Moves what is younger than a minute to the front, and returns where the next word goes. */
  private int dropExpired(int slot, long nowMs) {
    int end = slot + slotWords;
    int to = slot + 1;
    for (int at = slot + 1; at < end && words[at] != 0; at++) {
      if (counts(words[at], nowMs)) {
        words[to++] = words[at];
      }
    }
    for (int at = to; at < end && words[at] != 0; at++) {
      words[at] = 0;
    }
    return to;
  }

  @Override
  int weight(int slot, long nowMs) {
    int weight = 0;
    for (int at = slot + 1; at < slot + slotWords && words[at] != 0; at++) {
      weight += counts(words[at], nowMs) ? 1 : 0;
    }
    return weight;
  }

  /** More than half of the limit; a buyer with less has no more than his first half to gain. */
  @Override
  int protectedWeight() {
    return limit / 2 + 1;
  }

  private static boolean counts(long word, long nowMs) {
    return nowMs - time(word) < WINDOW_MS;
  }

  private static long time(long word) {
    return word >>> TIME_SHIFT;
  }
}
