package io.sluice.ledger.rules;

import io.sluice.ledger.Outbox.OutboxKind;

/** A row for the outbox that has no id yet. */
public record OutboxDraft(int partition, OutboxKind kind, String eventType, String payload) {}
