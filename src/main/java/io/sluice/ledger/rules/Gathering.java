package io.sluice.ledger.rules;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Which units of other buckets go to one that has too few, in the ledger alone. */
public final class Gathering {
  /** No ledger that was restored has lost so many versions of a bucket. */
  private static final long VERSIONS_LOST_MAX = 1_000_000;

  private Gathering() {}

  /**
   * By how much the version of a bucket rises to which a batch has gathered these units. Redis may
   * have versions that the ledger has lost, and takes only a higher one for newer.
   */
  public static long versionsRaised(long gathered) {
    return gathered == 0 ? 0 : VERSIONS_LOST_MAX;
  }

  /**
   * The moves after which a bucket has {@code qty} free units: half of what the richest of the
   * others has, or as much as it takes. Empty if it has enough, or all together have too few.
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

  /**
   * The moves after which a bucket has room for a grant, and if the others can spare that, for all
   * that it needs. They keep what they need themselves, unless the grant has no room otherwise.
   * Empty if all together have too few.
   *
   * @param free units of each bucket
   * @param needs units of each bucket that grants are about to take, this one among them
   * @return the change of each bucket's allotment
   */
  static Map<Integer, Long> room(long[] free, long[] needs, int target, int qty) {
    if (LongStream.of(free).sum() < qty) {
      return Map.of();
    }
    long[] spare =
        IntStream.range(0, free.length)
            .mapToLong(i -> i == target ? 0 : Math.max(0, free[i] - needs[i]))
            .toArray();
    long wanted = Math.max(needs[target], qty) - free[target];
    Map<Integer, Long> changes =
        taken(
            spare,
            richestFirst(spare, target),
            target,
            Math.min(wanted, LongStream.of(spare).sum()));
    long[] left =
        IntStream.range(0, free.length)
            .mapToLong(i -> free[i] + changes.getOrDefault(i, 0L))
            .toArray();
    if (left[target] < qty) {
      taken(left, richestFirst(left, target), target, qty - left[target])
          .forEach((bucket, units) -> changes.merge(bucket, units, Long::sum));
    }
    return changes;
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
