package io.sluice.ledger;

import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A bucket that no transaction changes while one looks at it. */
public interface StillBucket {
  BucketRow row();

  /** Whether a RESTOCK row of it is not SENT: Redis is to be told, or asked, something. */
  boolean restocking();

  /**
   * Its ended orders whose release is not SENT; empty where the partition has more than {@link
   * Ledger#UNRELEASED_MAX}.
   */
  Optional<List<OrderToken>> unreleased();

  /** Those of these tokens that have an order; at most {@link Ledger#BOOKED_MAX}. */
  Future<Set<OrderToken>> booked(Collection<OrderToken> tokens);
}
