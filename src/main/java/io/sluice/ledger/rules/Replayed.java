package io.sluice.ledger.rules;

/** A batch that was replayed, and what on. */
public record Replayed(BatchSnapshot snapshot, BatchChanges changes) {}
