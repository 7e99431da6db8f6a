package io.sluice.ledger.rules;

import io.sluice.model.Limits;
import io.sluice.model.OrderToken;
import io.sluice.model.Sha256;
import io.sluice.model.Sku;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides how a restock is spread over the buckets of a SKU. Pure.
 *
 * <p>Redis may have fewer units of a bucket than the ledger shows as free, because some grants are
 * not booked yet; so a bucket may refuse its part. Its refusals and answers give an upper bound of
 * what it has; the next round asks for half of that. Each round takes units or lowers a bound, so
 * the rounds end.
 */
public final class RestockPlan {
  /** The restock id of a SKU's first stock; no other restock can have it. */
  public static final String INITIAL = "!initial";

  private static final String TOTAL = "!total-";

  /** Far more rounds than halving a bound of {@code TOTAL_STOCK_MAX} needs. */
  static final int ROUNDS_MAX = 64;

  private RestockPlan() {}

  /** The state of a part. The names are stored; do not rename them. */
  public enum PartStatus {
    PENDING,
    TAKEN,
    REFUSED
  }

  /** The units that one bucket was asked for in one round. */
  public record Part(int bucket, int round, long units, PartStatus status) {}

  /** The next step. */
  public sealed interface Next {
    /** Some parts have no answer yet. */
    record Wait() implements Next {}

    /** All units are taken. */
    record Complete() implements Next {}

    /** Ask these buckets for these numbers of units. */
    record Round(int round, Map<Integer, Long> units) implements Next {}

    /**
     * All buckets together have too few units: return those that were taken.
     *
     * @param unsold the units that could have been taken
     */
    record GiveUp(long unsold, Map<Integer, Long> taken) implements Next {}
  }

  /**
   * The token of a part's ledger row. In round 1 it has the short form that upward restocks use.
   */
  public static String token(String restockId, int bucket, int round) {
    String first = restockId + "#" + bucket;
    return round == 1 ? first : first + "#" + round;
  }

  /** The id under which a SKU gets the stock of its next sale; no operator can give such a one. */
  public static String saleId(long saleNo) {
    return "!sale-" + saleNo;
  }

  /**
   * The id of the restock that a PUT of another total is; no operator can give such a one.
   *
   * @param versions of all buckets before it, added up: each change raises them
   */
  static String totalId(long versions, long total) {
    return TOTAL + versions + "-" + total;
  }

  /**
   * The SKU once a take-back of it is done, apart from its total: if a PUT has asked for it, it has
   * set the total that the PUT has.
   *
   * @param restockId as it is recorded
   */
  public static Sku taken(Sku sku, String restockId) {
    long total = totalOf(restockId);
    return total < 0 ? sku : sku.withFirst(total);
  }

  /**
   * The total that the PUT of this restock has; -1 of another restock.
   *
   * @param restockId as it is recorded
   */
  static long totalOf(String restockId) {
    return restockId.contains(TOTAL)
        ? Long.parseLong(restockId.substring(restockId.lastIndexOf('-') + 1))
        : -1;
  }

  /**
   * What a restock of a sale is recorded as, so that the next sale may have one of the same id.
   *
   * @param asked by an operator; if it is too long to stand in there, its hash does
   */
  public static String idOf(long saleNo, String asked) {
    if (saleNo == 0) {
      return asked;
    }
    String own = "!" + saleNo + "-" + asked;
    return own.length() <= Limits.RESTOCK_ID_MAX ? own : "!" + saleNo + "+" + hash(asked);
  }

  private static String hash(String text) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(Sha256.of(text));
  }

  /**
   * The id under which units move to an empty bucket in the ledger alone.
   *
   * @param writeNo of that bucket, which has it once
   */
  public static String moveId(int bucket, long writeNo) {
    return "!move-" + bucket + "-" + writeNo;
  }

  /**
   * The token of the ledger row with which units of a refunded order leave the stock.
   *
   * @param version of the order after its units came back
   */
  public static String returnToken(OrderToken order, long version) {
    return token("!return-" + order.value() + "-" + version, order.bucket(), 1);
  }

  /**
   * The token of the ledger row with which units leave a bucket for others, or come from one.
   *
   * @param id of the outbox row that moves them
   */
  public static String moveToken(long id, int bucket) {
    return token("!move-" + id, bucket, 1);
  }

  /**
   * The token of the one row of a bucket that takes the place of those of its moves. No move has
   * it, since its id begins with a digit.
   */
  public static String movesToken(int bucket) {
    return token("!move-", bucket, 1);
  }

  /** The token of the ledger row that returns to a bucket what was taken from it. */
  public static String undoToken(String restockId, int bucket) {
    return restockId + "#" + bucket + "#undo";
  }

  /** Splits units evenly; if they do not divide evenly, the first buckets get one more each. */
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
   * @param free units of each bucket that the ledger shows now as neither held nor sold
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
   * The upper bound of what a bucket has in Redis ({@code most}), and of what it is asked for next
   * ({@code ask}).
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
   * Takes from the fullest buckets first, so that the rest is as even as possible. Takes everything
   * if {@code units} is more than there is.
   */
  static long[] level(long units, long[] caps) {
    long low = 0;
    long high = 0;
    for (long cap : caps) {
      high = Math.max(high, cap);
    }
    // Find the highest level above which there are at least as many units as requested.
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

  /**
   * A restock as the ledger records it.
   *
   * @param qty units; negative for a take-back
   * @param rounds the number of rounds so far in which buckets were asked for units
   * @param unsold the units that a refused take-back could have taken
   */
  public record Restock(long qty, Status status, int rounds, long unsold) {
    /** The state of a restock. The names are stored; do not rename them. */
    public enum Status {
      WORKING,
      DONE,
      REFUSED
    }
  }
}
