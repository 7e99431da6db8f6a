package io.sluice.ledger.rules;

import io.sluice.ledger.Outbox.OutboxKind;

/** A new outbox row, which has no id yet. */
public record OutboxDraft(int partition, OutboxKind kind, String eventType, String payload) {}
