package io.sluice.owner.reconcile;

import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore.Snapshot;
import io.vertx.core.json.JsonObject;
import java.util.Collection;
import java.util.Set;

/**
 * What comes of comparing a bucket in Redis with the ledger, exactly, by token; docs/design.md
 * section 8.
 */
sealed interface BucketDiff {
  BucketDiff AGREES = new Agrees();

  /** Each unit is accounted for. */
  record Agrees() implements BucketDiff {}

  /** Cannot be compared now; the next pass tries again. */
  record PassedOver(Reason reason) implements BucketDiff {}

  /**
   * A difference that nothing under way explains.
   *
   * @param before what Redis says, JSON
   * @param after what it should say, JSON
   */
  record Drift(String before, String after, String why) implements BucketDiff {}

  /** Why a bucket is passed over. */
  enum Reason {
    /** Redis cannot vouch for it, or it is being rebuilt. */
    AWAY,
    /** Redis is being told a new ceiling, or is asked to give units up. */
    RESTOCKING,
    /** More grants are unbooked than can be looked at. */
    CROWDED,
    /** More releases of the partition are pending than can be looked at. */
    RELEASING,
    /** A part did not answer. */
    FAILED
  }

  /**
   * Compares; expects that no transaction changes the bucket meanwhile, and no restock is pending.
   *
   * @param unreleased its ended orders whose release is not SENT
   * @param booked the unbooked grants that have an order all the same: Redis has not heard yet
   */
  static BucketDiff of(
      BucketRow row, Snapshot seen, Collection<OrderToken> unreleased, Set<OrderToken> booked) {
    if (seen.code() != BucketCode.OK || seen.epoch() != row.epoch()) {
      return new PassedOver(Reason.AWAY);
    }
    if (seen.unbookedCount() > seen.unbooked().size()) {
      return new PassedOver(Reason.CROWDED);
    }
    long unbooked =
        seen.unbooked().stream()
            .filter(grant -> !booked.contains(grant.token()))
            .mapToLong(Grant::qty)
            .sum();
    long returning =
        seen.live().entrySet().stream()
            .filter(units -> unreleased.contains(units.getKey()))
            .mapToLong(units -> units.getValue())
            .sum();
    long expected = row.held() + row.sold() + unbooked + returning;
    long taken = seen.claimed() - seen.released();
    if (seen.version() == row.version() && seen.total() == row.allotted() && taken == expected) {
      return AGREES;
    }
    return new Drift(
        json(seen.total(), seen.version(), taken),
        json(row.allotted(), row.version(), expected),
        "Expected %d units taken: %d held, %d sold, %d unbooked, %d not yet released"
            .formatted(expected, row.held(), row.sold(), unbooked, returning));
  }

  private static String json(long total, long version, long taken) {
    return new JsonObject()
        .put("total", total)
        .put("version", version)
        .put("taken", taken)
        .encode();
  }
}
