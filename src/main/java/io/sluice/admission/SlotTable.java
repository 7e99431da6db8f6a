package io.sluice.admission;

import java.util.Arrays;

/**
 * A table of fixed size from hashed ids to slots of some words. It lives in one array, so that
 * millions of invented ids cost neither memory nor garbage.
 *
 * <p>An id may be in one of {@link #WAYS} slots of its set. If all are taken, a new id replaces the
 * one with the lowest weight, or none. The heavier half of what a slot can weigh is never replaced,
 * so new ids displace nobody who is near a limit. The set of an id cannot be computed without the
 * secret of the hash.
 */
abstract class SlotTable {
  /** The answer if there is no slot. */
  static final int NONE = -1;

  private static final int WAYS = 8;
  private static final int WORDS_MAX = 1 << 21;
  private static final int SLOTS_MAX = 1 << 17;
  private static final int LOCKS = 256;

  /** Slot after slot; the first word of each is the hashed id, 0 if it is free. */
  final long[] words;

  private final int slotWords;
  private final int sets;
  private final Object[] locks = new Object[LOCKS];

  /**
   * @param slotWords the size of a slot, with its id
   */
  SlotTable(int slotWords) {
    this(slotWords, WORDS_MAX);
  }

  /**
   * @param wordsMax the most words of all slots together
   */
  SlotTable(int slotWords, int wordsMax) {
    int slots = Math.max(WAYS, Math.min(SLOTS_MAX, Integer.highestOneBit(wordsMax / slotWords)));
    this.slotWords = slotWords;
    this.sets = slots / WAYS;
    this.words = new long[slots * slotWords];
    Arrays.setAll(locks, i -> new Object());
  }

  /** How much a slot counts now; 0 if nothing in it counts any more. */
  abstract int weight(int slot, long nowMs);

  /** The weight from which on a slot is not given to another id. */
  abstract int protectedWeight();

  /** Guards the slots of an id. */
  final Object lock(long id) {
    return locks[set(id) & (LOCKS - 1)];
  }

  /** The slot of an id that has one, else {@link #NONE}; under its lock. */
  final int find(long id) {
    int first = set(id) * WAYS * slotWords;
    for (int way = 0; way < WAYS; way++) {
      int slot = first + way * slotWords;
      if (words[slot] == id) {
        return slot;
      }
    }
    return NONE;
  }

  /** The same, or a slot that is emptied for it, if there is one; under its lock. */
  final int findOrClaim(long id, long nowMs) {
    int found = find(id);
    return found == NONE ? claim(id, nowMs) : found;
  }

  private int claim(long id, long nowMs) {
    int first = set(id) * WAYS * slotWords;
    int chosen = NONE;
    int lowest = protectedWeight();
    for (int i = 0; i < WAYS && lowest > 0; i++) {
      // Begins anywhere, so that of equal weights not always the same one is replaced.
      int slot = first + (int) ((id + i) & (WAYS - 1)) * slotWords;
      int weight = words[slot] == 0 ? 0 : weight(slot, nowMs);
      if (weight < lowest) {
        lowest = weight;
        chosen = slot;
      }
    }
    if (chosen != NONE) {
      Arrays.fill(words, chosen, chosen + slotWords, 0);
      words[chosen] = id;
    }
    return chosen;
  }

  final void free(int slot) {
    Arrays.fill(words, slot, slot + slotWords, 0);
  }

  /** The number of ids that it can hold. */
  final int slots() {
    return sets * WAYS;
  }

  private int set(long id) {
    return (int) (id >>> 40) & (sets - 1);
  }
}
