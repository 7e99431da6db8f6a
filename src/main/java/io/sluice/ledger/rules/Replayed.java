package io.sluice.ledger.rules;

/** The result of replaying a batch, and the snapshot that it was replayed on. */
public record Replayed(BatchSnapshot snapshot, BatchChanges changes) {}
