package io.sluice.bench.load;

/** Counts latencies in classes that are at most 1 % wide, from a microsecond to a minute. */
final class Latencies {
  private static final int SUB_BITS = 7;
  private static final int SUBS = 1 << SUB_BITS;
  private static final int CLASSES = 28 * SUBS;

  private final long[] counts = new long[CLASSES];
  private long total;
  private long max;

  void add(long micros) {
    long value = Math.max(0, micros);
    counts[Math.min(CLASSES - 1, classOf(value))]++;
    total++;
    max = Math.max(max, value);
  }

  long max() {
    return max;
  }

  /** The upper end of the class below which this share of all lies. */
  long percentile(double share) {
    long wanted = (long) Math.ceil(total * share);
    long seen = 0;
    for (int i = 0; i < CLASSES; i++) {
      seen += counts[i];
      if (seen >= wanted && seen > 0) {
        return Math.min(max, upperEnd(i));
      }
    }
    return max;
  }

  private static int classOf(long value) {
    int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(value) - SUB_BITS - 1);
    return shift * SUBS + (int) (value >>> shift);
  }

  private static long upperEnd(int index) {
    if (index < 2 * SUBS) {
      return index;
    }
    int shift = index / SUBS - 1;
    return (((long) (index - shift * SUBS) + 1) << shift) - 1;
  }
}
