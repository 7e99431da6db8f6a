package io.sluice.ledger;

import io.vertx.core.Future;
import java.util.List;

/** What commits left behind to be passed on. Part of {@link Ledger}. */
public interface Outbox {

  /** Which pass a row belongs to; one being stuck does not hold the other. */
  enum OutboxKind {
    EVENT,
    RELEASE,
    RESTOCK,
    DEAD
  }

  /** A row to be passed on; the payload is JSON, its form is up to the kind. */
  record OutboxRow(long id, int partition, OutboxKind kind, String eventType, String payload) {}

  /**
   * PENDING rows in the order of their ids, from after {@code afterId} on. Each pass begins at 0:
   * transactions commit out of order, so a remembered id would pass rows over.
   */
  Future<List<OutboxRow>> pending(int partition, OutboxKind kind, long afterId, int limit);

  /** Marks these rows SENT. */
  Future<Void> sent(List<Long> ids);

  /**
   * Deletes up to {@code limit} SENT rows of the partition that were written before {@code
   * beforeMs}.
   */
  Future<Integer> purge(int partition, long beforeMs, int limit);
}
