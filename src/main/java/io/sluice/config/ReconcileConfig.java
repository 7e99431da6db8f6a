package io.sluice.config;

import io.sluice.config.value.IntKey;
import io.sluice.config.value.Settings;

/** How often buckets are compared with the ledger; milliseconds. */
public record ReconcileConfig(int intervalMs) {
  static final IntKey INTERVAL_MS = new IntKey("reconcile.interval_ms", 5_000, 100, 86_400_000);

  public ReconcileConfig {
    INTERVAL_MS.check(intervalMs);
  }

  static ReconcileConfig read(Settings settings) {
    return new ReconcileConfig(settings.number(INTERVAL_MS));
  }
}
