package io.sluice.admission;

/**
 * The number of calls of each address in the last minute, by the second. A second is forgotten when
 * all of it is older than a minute, so a window is up to a second longer than that, never shorter.
 * Thread-safe; bounded as {@link SlotTable} says.
 */
final class CallWindows extends SlotTable {
  /** The answer to a call that there is no slot for. */
  static final long UNCOUNTED = 0;

  private static final int CELLS = 61;
  private static final long CELL_MS = 1_000;

  /** Where the number of the newest second is. */
  private static final int NEWEST = 1;

  private static final int FIRST_CELL = 2;

  private final int limit;

  /**
   * @param limit calls per minute, at least 1
   */
  CallWindows(int limit) {
    super(FIRST_CELL + CELLS);
    this.limit = limit;
  }

  /** The same with at most this many words, for ids of which few count. */
  CallWindows(int limit, int wordsMax) {
    super(FIRST_CELL + CELLS, wordsMax);
    this.limit = limit;
  }

  /**
   * Counts a call, if it is within the limit.
   *
   * @param id the hash of the address, not 0
   * @param nowMs of a monotonic clock, more than 0
   * @return {@code nowMs}; {@link #UNCOUNTED}; or, if it is over the limit, minus the milliseconds
   *     until there is room again
   */
  long admit(long id, long nowMs) {
    synchronized (lock(id)) {
      int slot = findOrClaim(id, nowMs);
      if (slot == NONE) {
        return UNCOUNTED;
      }
      long second = nowMs / CELL_MS;
      dropExpired(slot, second);
      if (sum(slot) < limit) {
        words[cell(slot, second)]++;
        return nowMs;
      }
      return nowMs - (oldest(slot, second) + CELLS) * CELL_MS;
    }
  }

  /** Counts one more, whatever the limit, and returns how many count now. */
  long add(long id, long nowMs) {
    synchronized (lock(id)) {
      int slot = findOrClaim(id, nowMs);
      if (slot == NONE) {
        return UNCOUNTED;
      }
      long second = nowMs / CELL_MS;
      dropExpired(slot, second);
      words[cell(slot, second)]++;
      return sum(slot);
    }
  }

  /** The milliseconds until fewer than this many count; 0 if they do. Claims no slot. */
  long untilFewer(long id, int than, long nowMs) {
    synchronized (lock(id)) {
      int slot = find(id);
      if (slot == NONE) {
        return 0;
      }
      long second = nowMs / CELL_MS;
      dropExpired(slot, second);
      return sum(slot) < than ? 0 : (oldest(slot, second) + CELLS) * CELL_MS - nowMs;
    }
  }

  /**
   * Takes back a call that was counted at this time, if that is still in the window. Another's
   * count is not taken for it.
   */
  void withdraw(long id, long countedMs) {
    synchronized (lock(id)) {
      int slot = find(id);
      if (slot == NONE) {
        return;
      }
      long second = countedMs / CELL_MS;
      long ageS = words[slot + NEWEST] - second;
      if (ageS >= 0 && ageS < CELLS && words[cell(slot, second)] > 0) {
        words[cell(slot, second)]--;
      }
    }
  }

  /** Empties the cells of the seconds that have begun since the last call. */
  private void dropExpired(int slot, long second) {
    long from = Math.max(words[slot + NEWEST] + 1, second - CELLS + 1);
    for (long begun = from; begun <= second; begun++) {
      words[cell(slot, begun)] = 0;
    }
    words[slot + NEWEST] = Math.max(words[slot + NEWEST], second);
  }

  private long oldest(int slot, long second) {
    long oldest = second - CELLS + 1;
    while (oldest < second && (oldest < 0 || words[cell(slot, oldest)] == 0)) {
      oldest++;
    }
    return oldest;
  }

  private long sum(int slot) {
    long sum = 0;
    for (int i = 0; i < CELLS; i++) {
      sum += words[slot + FIRST_CELL + i];
    }
    return sum;
  }

  private static int cell(int slot, long second) {
    return slot + FIRST_CELL + (int) (second % CELLS);
  }

  @Override
  int weight(int slot, long nowMs) {
    boolean expired = nowMs / CELL_MS - words[slot + NEWEST] >= CELLS;
    return expired ? 0 : (int) Math.min(Integer.MAX_VALUE, sum(slot));
  }

  @Override
  int protectedWeight() {
    return limit / 2 + 1;
  }
}
