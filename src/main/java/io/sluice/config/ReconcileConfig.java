package io.sluice.config;

/** How often a bucket is compared with the ledger; milliseconds. */
public record ReconcileConfig(int intervalMs) {}
