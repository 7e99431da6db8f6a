package io.sluice.ledger;

/**
 * A row to be delivered as a whole. The payload is JSON, in a form that depends on the kind; that
 * of events and releases is a list.
 *
 * @param createdAtMs with the partition, tells it from the row that gets the same id when the
 *     ledger was put back to an earlier state
 */
public record OutboxRow(
    long id, int partition, OutboxKind kind, String eventType, String payload, long createdAtMs) {
  /**
   * The pass that delivers a row. Each kind has its own, so that one that is blocked does not delay
   * the others.
   */
  public enum OutboxKind {
    EVENT,
    RELEASE,
    RESTOCK,
    DEAD
  }
}
