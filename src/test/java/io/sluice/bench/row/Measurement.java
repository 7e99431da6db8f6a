package io.sluice.bench.row;

import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.site.Site;
import java.util.function.Consumer;

/** A way to measure one row. */
public interface Measurement {
  /** The number of ratios that are added. */
  default int ratios(Plan plan) {
    return plan.runs();
  }

  /** How one run of this build, {@code now}, compares with one of an older build. */
  default double beside(Result before, Result now) {
    return now.ratios().median() / before.ratios().median();
  }

  /** Adds its ratios; {@code step} is told what is being done. */
  void measure(Site site, Plan plan, Result result, Consumer<String> step);
}
