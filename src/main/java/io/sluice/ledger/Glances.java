package io.sluice.ledger;

import io.sluice.ledger.Outbox.OutboxKind;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.Set;

/** The questions that owners repeat while nothing happens, in one call. Part of {@link Ledger}. */
public interface Glances {

  /**
   * A partition at one instant.
   *
   * @param nowMs the ledger's clock; everything that was committed before it is seen
   * @param fence empty if the partition never had an owner
   * @param pending the kinds of outbox rows that are PENDING
   */
  record Glance(long nowMs, Optional<Fence> fence, Set<OutboxKind> pending) {}

  /** Reads a partition. Calls of several partitions that come together cost one statement. */
  Future<Glance> glance(int partition);
}
