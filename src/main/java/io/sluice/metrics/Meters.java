package io.sluice.metrics;

import io.micrometer.core.instrument.MeterRegistry;

/**
 * The meters of this instance. No tag carries a SKU, a buyer or a token: their number is unbounded.
 */
public final class Meters {
  private final MeterRegistry registry;

  public Meters(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Where the meters are kept, for the binders of libraries. */
  public MeterRegistry registry() {
    return registry;
  }
}
