package io.sluice.ledger;

import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

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
   *
   * @param createdAtMs with the partition, tells it from the row that gets the same id when the
   *     ledger was put back to an earlier state
   */
  record OutboxRow(
      long id,
      int partition,
      OutboxKind kind,
      String eventType,
      String payload,
      long createdAtMs) {}

  /**
   * PENDING rows in id order, those after {@code afterId}. Each pass begins at 0: transactions
   * commit out of order, so an id remembered from an earlier pass would skip rows.
   */
  Future<List<OutboxRow>> pending(int partition, OutboxKind kind, long afterId, int limit);

  /** Marks these rows SENT, as they were read; another row with the id of one stays as it is. */
  Future<Void> sent(List<OutboxRow> rows);

  /**
   * Replaces RELEASE rows of which only a part was delivered: in one transaction under the fence,
   * they are marked SENT and rows with the rest are appended. A row that is SENT already stays as
   * it is, because then an earlier call has replaced it; so does another one with its id. False if
   * the fence is lost; nothing is changed then.
   *
   * @param rest by its row, the entries that are still to be delivered; at least one each
   */
  Future<Boolean> keepRest(Fence fence, Map<OutboxRow, List<String>> rest);

  /**
   * Deletes up to {@code limit} SENT rows of the partition that were written before {@code
   * beforeMs}.
   */
  Future<Integer> purge(int partition, long beforeMs, int limit);
}
