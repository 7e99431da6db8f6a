package io.sluice.ledger;

import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A bucket that is locked, so that no transaction changes it during a comparison. */
public interface StillBucket {
  BucketRow row();

  /** Whether the bucket has a RESTOCK row that is not SENT, so that Redis is not up to date. */
  boolean restocking();

  /**
   * The bucket's orders whose release is not SENT, and the units that each of them keeps; empty if
   * the partition has more than {@link Ledger#UNRELEASED_MAX}.
   */
  Optional<Map<OrderToken, Integer>> unreleased();

  /** The tokens among these, at most {@link Ledger#BOOKED_MAX}, that have an order. */
  Future<Set<OrderToken>> booked(Collection<OrderToken> tokens);
}
