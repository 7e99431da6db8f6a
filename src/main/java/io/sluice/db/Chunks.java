package io.sluice.db;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Splits lists into chunks of few different sizes, so that their statements hit the
 * prepared-statement cache.
 */
final class Chunks {
  /**
   * The maximum number of items in one statement; a power of two, far below the server's 65,535
   * placeholders.
   */
  static final int SIZE_MAX = 256;

  private Chunks() {}

  /**
   * Splits into chunks whose sizes are powers of two; the last is padded with its own last item.
   */
  static <T> List<List<T>> padded(List<T> items) {
    List<List<T>> chunks = new ArrayList<>();
    for (int from = 0; from < items.size(); from += SIZE_MAX) {
      chunks.add(fill(items.subList(from, Math.min(from + SIZE_MAX, items.size()))));
    }
    return chunks;
  }

  private static <T> List<T> fill(List<T> items) {
    int half = Integer.highestOneBit(items.size());
    int missing = half == items.size() ? 0 : 2 * half - items.size();
    if (missing == 0) {
      return items;
    }
    List<T> filled = new ArrayList<>(items);
    filled.addAll(Collections.nCopies(missing, items.get(items.size() - 1)));
    return filled;
  }
}
