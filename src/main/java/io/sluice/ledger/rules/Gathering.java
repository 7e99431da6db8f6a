package io.sluice.ledger.rules;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Which units of other buckets go to one that has too few, in the ledger alone. */
public final class Gathering {
  private Gathering() {}

  /**
   * What moves, so that a bucket has {@code qty} free units: half of what the richest of the others
   * has, or as much as it takes. Empty where it has enough, or all together have too few.
   *
   * @param free units of each bucket
   * @return the change of each bucket's allotment
   */
  public static Map<Integer, Long> ahead(long[] free, int target, int qty) {
    long needed = qty - free[target];
    if (needed <= 0 || LongStream.of(free).sum() < qty) {
      return Map.of();
    }
    List<Integer> others = richestFirst(free, target);
    return taken(free, others, target, Math.max(needed, (free[others.get(0)] + 1) / 2));
  }

  /** The same, but no more than it lacks, and as much of that as there is. */
  public static Map<Integer, Long> lacking(long[] free, int target, long units) {
    List<Integer> others = richestFirst(free, target);
    long most = others.stream().mapToLong(bucket -> free[bucket]).sum();
    long wanted = Math.min(units - free[target], most);
    return wanted <= 0 ? Map.of() : taken(free, others, target, wanted);
  }

  private static List<Integer> richestFirst(long[] free, int target) {
    return IntStream.range(0, free.length)
        .filter(bucket -> bucket != target && free[bucket] > 0)
        .boxed()
        .sorted(Comparator.comparingLong((Integer bucket) -> -free[bucket]))
        .toList();
  }

  private static Map<Integer, Long> taken(
      long[] free, List<Integer> others, int target, long wanted) {
    Map<Integer, Long> changes = new TreeMap<>();
    long left = wanted;
    for (int bucket : others) {
      long units = Math.min(left, free[bucket]);
      left -= units;
      if (units > 0) {
        changes.put(bucket, -units);
      }
    }
    changes.put(target, wanted);
    return changes;
  }
}
