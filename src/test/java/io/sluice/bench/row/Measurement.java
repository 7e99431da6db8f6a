package io.sluice.bench.row;

import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.site.Site;
import java.util.function.Consumer;

/** How one row is measured. */
public interface Measurement {
  /** Adds a ratio per run; says what it is at. */
  void measure(Site site, Plan plan, Result result, Consumer<String> step);
}
