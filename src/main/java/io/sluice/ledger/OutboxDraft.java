package io.sluice.ledger;

import io.sluice.ledger.Ledger.OutboxKind;

/** A row for the outbox that has no id yet. */
record OutboxDraft(int partition, OutboxKind kind, String eventType, String payload) {}
