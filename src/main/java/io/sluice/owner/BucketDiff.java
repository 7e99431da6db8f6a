package io.sluice.owner;

import io.sluice.ledger.BucketRow;
import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore.Snapshot;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The result of comparing a bucket in Redis with the ledger, exactly, by token; docs/design.md
 * section 8.
 */
sealed interface BucketDiff {
  /**
   * Every unit is accounted for.
   *
   * @param settled whether no grant and no release of the bucket was on its way, so that nothing
   *     but a change of its row, or of Redis, can make the two differ
   */
  record Agrees(boolean settled) implements BucketDiff {}

  /** The bucket cannot be compared now; retried in the next pass. */
  record Skipped(SkipCause reason) implements BucketDiff {}

  /**
   * A difference that no operation in progress explains.
   *
   * @param before the state in Redis, JSON
   * @param after the expected state, JSON
   */
  record Drift(DriftKind kind, String before, String after, String why) implements BucketDiff {}

  /** How a bucket in Redis differs from the ledger. */
  enum DriftKind {
    /** Redis has fewer units taken, and could grant some of them again. */
    MISSING,
    /** Redis has more units taken, which nobody can buy. */
    WITHHELD,
    /** Redis has another total or version. */
    TOTAL;

    /** Its name in metrics. */
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** All names. */
    static Iterable<String> words() {
      return Stream.of(values()).map(DriftKind::word).toList();
    }
  }

  /** Why a bucket cannot be compared. */
  enum SkipCause {
    /** Redis does not serve it, or it is being rebuilt. */
    AWAY,
    /** A restock or take-back is in progress. */
    RESTOCKING,
    /** It has more unbooked grants than can be compared. */
    CROWDED,
    /** The partition has more pending releases than can be compared. */
    RELEASING,
    /** A store failed. */
    FAILED
  }

  /**
   * Compares. No transaction may change the bucket meanwhile, and no restock may be pending.
   *
   * @param unreleased orders of the bucket whose release is not SENT, and the units of each of them
   *     that Redis counts after it
   * @param booked the tokens in {@code unbooked} that have an order in the ledger, not yet removed
   *     from Redis
   */
  static BucketDiff of(
      BucketRow row, Snapshot seen, Map<OrderToken, Integer> unreleased, Set<OrderToken> booked) {
    if (seen.code() != BucketCode.OK || seen.epoch() != row.epoch()) {
      return new Skipped(SkipCause.AWAY);
    }
    if (seen.unbookedCount() > seen.unbooked().size()) {
      return new Skipped(SkipCause.CROWDED);
    }
    long unbooked =
        seen.unbooked().stream()
            .filter(grant -> !booked.contains(grant.token()))
            .mapToLong(Grant::qty)
            .sum();
    long returning =
        seen.live().entrySet().stream()
            .filter(units -> unreleased.containsKey(units.getKey()))
            .mapToLong(
                units -> Math.max(0, units.getValue() - unreleased.getOrDefault(units.getKey(), 0)))
            .sum();
    long expected = row.counted() + unbooked + returning;
    long taken = seen.claimed() - seen.released();
    if (seen.version() == row.version() && seen.total() == row.total() && taken == expected) {
      return new Agrees(unreleased.isEmpty() && seen.unbookedCount() == 0);
    }
    return new Drift(
        taken == expected
            ? DriftKind.TOTAL
            : taken < expected ? DriftKind.MISSING : DriftKind.WITHHELD,
        json(seen.total(), seen.version(), taken),
        json(row.total(), row.version(), expected),
        "Expected %d units taken: %d held, %d sold, %d unbooked, %d not yet released"
            .formatted(expected, row.held(), row.soldNow(), unbooked, returning));
  }

  private static String json(long total, long version, long taken) {
    return new JsonObject()
        .put("total", total)
        .put("version", version)
        .put("taken", taken)
        .encode();
  }
}
