package io.sluice.ledger.rules;

import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.model.Placement;

/** A new outbox row, which has no id yet. */
public record OutboxDraft(int partition, OutboxKind kind, String eventType, String payload) {

  /** Whether anybody waits for it: nothing of a SKU that sells in the ledger alone is in Redis. */
  public boolean isDelivered() {
    boolean isForRedis = kind == OutboxKind.RELEASE || kind == OutboxKind.RESTOCK;
    return partition != Placement.DIRECT || !isForRedis;
  }
}
