package io.sluice.metrics;

import io.micrometer.core.instrument.MeterRegistry;

/** The meters of this instance. No tag carries a SKU, a buyer or a token: their number is unbounded. */
public final class Meters {
  private final MeterRegistry registry;

  public Meters(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Where the meters are kept, for the binders of libraries. */
  public MeterRegistry registry() {
    return registry;
  }

  /** A transaction of the ledger that met another's locks and is run again. */
  public void ledgerRetried() {
    registry.counter("sluice_ledger_retries").increment();
  }

  /** Grants of an older epoch that were not booked. */
  public void staleGrantsDropped(int grants) {
    registry.counter("sluice_ledger_stale_grants").increment(grants);
  }

  /** Commands that their own data made impossible to apply. */
  public void deadLettered(int commands) {
    registry.counter("sluice_ledger_dead_commands").increment(commands);
  }

  /** Buckets at which the gate had no room for a grant; in a sound system there are none. */
  public void gateFoundFull(int buckets) {
    registry.counter("sluice_ledger_gate_full").increment(buckets);
  }
}
