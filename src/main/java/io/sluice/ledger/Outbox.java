package io.sluice.ledger;

import io.vertx.core.Future;
import java.util.List;

/** Rows that committed transactions leave to be delivered. Part of {@link Ledger}. */
public interface Outbox {

  /**
   * The pass that delivers a row. Each kind has its own, so that one that is blocked does not delay
   * the others.
   */
  enum OutboxKind {
    EVENT,
    RELEASE,
    RESTOCK,
    DEAD
  }

  /**
   * A row to be delivered as a whole. The payload is JSON, in a form that depends on the kind; that
   * of events and releases is a list.
   */
  record OutboxRow(long id, int partition, OutboxKind kind, String eventType, String payload) {}

  /**
   * PENDING rows in id order, those after {@code afterId}. Each pass begins at 0: transactions
   * commit out of order, so an id remembered from an earlier pass would skip rows.
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
