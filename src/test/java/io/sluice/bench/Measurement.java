package io.sluice.bench;

import java.util.function.Consumer;

/** How one row is measured. */
interface Measurement {
  /** Adds a ratio per run; says what it is at. */
  void measure(Site site, Plan plan, Result result, Consumer<String> step);
}
