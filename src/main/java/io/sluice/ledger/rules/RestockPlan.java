package io.sluice.ledger.rules;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides how a restock is spread over the buckets of a SKU. Pure.
 *
 * <p>Redis may have fewer units of a bucket than the ledger shows as free, since grants wait to be
 * booked; so a bucket may refuse its part. From what it refused and gave we know a bound of what it
 * has, and ask for half of that next. Each round takes units or lowers a bound, so it ends.
 */
public final class RestockPlan {
  /** The restock id of a SKU's first stock; no other can have it. */
  public static final String INITIAL = "!initial";

  /** Far above what halving a bound of {@code TOTAL_STOCK_MAX} takes. */
  static final int ROUNDS_MAX = 64;

  private RestockPlan() {}

  /** What became of a part; the words are stored as written here. */
  public enum PartStatus {
    PENDING,
    TAKEN,
    REFUSED
  }

  /** What one bucket was asked to give in one round. */
  public record Part(int bucket, int round, long units, PartStatus status) {}

  /** What to do next. */
  public sealed interface Next {
    /** Wait for the parts that have no answer yet. */
    record Wait() implements Next {}

    /** All is taken. */
    record Complete() implements Next {}

    /** Ask these buckets for so many units. */
    record Round(int round, Map<Integer, Long> units) implements Next {}

    /**
     * All together have too few: give back what was taken.
     *
     * @param unsold what could have been had
     */
    record GiveUp(long unsold, Map<Integer, Long> taken) implements Next {}
  }

  /**
   * The token of the ledger row of a part; round 1 has the short form that restocks upward have.
   */
  public static String token(String restockId, int bucket, int round) {
    String first = restockId + "#" + bucket;
    return round == 1 ? first : first + "#" + round;
  }

  /** The token of the ledger row that gives back what a bucket gave. */
  public static String undoToken(String restockId, int bucket) {
    return restockId + "#" + bucket + "#undo";
  }

  /** An even split; the first buckets get one more where it does not go up. */
  public static long[] spread(long units, int buckets) {
    long[] parts = new long[buckets];
    for (int i = 0; i < buckets; i++) {
      parts[i] = units / buckets + (i < units % buckets ? 1 : 0);
    }
    return parts;
  }

  /**
   * The next step of taking back {@code wanted} units.
   *
   * @param free units of each bucket that the ledger shows as neither held nor sold, now
   * @param history all parts so far, in the order of rounds
   */
  public static Next next(long wanted, long[] free, List<Part> history) {
    if (history.stream().anyMatch(part -> part.status() == PartStatus.PENDING)) {
      return new Next.Wait();
    }
    long left = wanted - history.stream().mapToLong(RestockPlan::taken).sum();
    if (left == 0) {
      return new Next.Complete();
    }
    Bound[] bounds = boundsOf(free, history);
    long unsold = 0;
    long[] caps = new long[free.length];
    for (int i = 0; i < free.length; i++) {
      unsold += Math.min(free[i], bounds[i].most);
      caps[i] = Math.min(free[i], bounds[i].ask);
    }
    int round = 1 + history.stream().mapToInt(Part::round).max().orElse(0);
    return unsold < left || round > ROUNDS_MAX
        ? new Next.GiveUp(unsold + wanted - left, takenByBucket(history))
        : new Next.Round(round, nonZero(level(left, caps)));
  }

  /**
   * What is known of a bucket in Redis: it has at most so many, and is asked for no more than that.
   */
  private static final class Bound {
    long most = Long.MAX_VALUE;
    long ask = Long.MAX_VALUE;

    void learn(Part part) {
      if (part.status() == PartStatus.REFUSED) {
        most = Math.min(most, part.units() - 1);
        ask = most / 2 + most % 2;
      } else if (most != Long.MAX_VALUE) {
        most -= part.units();
        ask = most;
      }
    }
  }

  private static Bound[] boundsOf(long[] free, List<Part> history) {
    Bound[] bounds = new Bound[free.length];
    for (int i = 0; i < free.length; i++) {
      bounds[i] = new Bound();
    }
    history.forEach(part -> bounds[part.bucket()].learn(part));
    return bounds;
  }

  /**
   * Takes from the fullest first, so that what stays is as even as it goes. Takes all where {@code
   * units} is more than there is.
   */
  static long[] level(long units, long[] caps) {
    long low = 0;
    long high = 0;
    for (long cap : caps) {
      high = Math.max(high, cap);
    }
    // The highest level above which there are at least as many units as are wanted.
    while (low < high) {
      long middle = low + (high - low + 1) / 2;
      if (above(caps, middle) >= units) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    long surplus = Math.max(0, above(caps, low) - units);
    long[] parts = new long[caps.length];
    for (int i = caps.length - 1; i >= 0; i--) {
      parts[i] = Math.max(0, caps[i] - low);
      if (surplus > 0 && parts[i] > 0) {
        parts[i]--;
        surplus--;
      }
    }
    return parts;
  }

  private static long above(long[] caps, long level) {
    long sum = 0;
    for (long cap : caps) {
      sum += Math.max(0, cap - level);
    }
    return sum;
  }

  private static Map<Integer, Long> nonZero(long[] parts) {
    Map<Integer, Long> units = new LinkedHashMap<>();
    for (int i = 0; i < parts.length; i++) {
      if (parts[i] > 0) {
        units.put(i, parts[i]);
      }
    }
    return units;
  }

  private static Map<Integer, Long> takenByBucket(List<Part> history) {
    Map<Integer, Long> taken = new LinkedHashMap<>();
    for (Part part : history) {
      if (part.status() == PartStatus.TAKEN) {
        taken.merge(part.bucket(), part.units(), Long::sum);
      }
    }
    return taken;
  }

  private static long taken(Part part) {
    return part.status() == PartStatus.TAKEN ? part.units() : 0;
  }
}
