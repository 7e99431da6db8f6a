package io.sluice.bench.row;

import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.site.Site;
import java.util.function.Consumer;

/**
 * Measures a row on this build and on an older one. Each run measures both, and every other run
 * starts with the older one, so that drift of the machine cancels out; the ratio is that of the
 * two.
 */
public record BesideBaseline(Measurement row, Site baseline) implements Measurement {
  @Override
  public void measure(Site site, Plan plan, Result result, Consumer<String> step) {
    for (int run = 0; run < plan.runs(); run++) {
      Plan once = plan.once(run == 0);
      Result before = new Result(result.row());
      Result now = new Result(result.row());
      if (run % 2 == 0) {
        row.measure(baseline, once, before, at -> step.accept("baseline: " + at));
      }
      row.measure(site, once, now, step);
      if (run % 2 == 1) {
        row.measure(baseline, once, before, at -> step.accept("baseline: " + at));
      }
      before.figures().forEach((name, value) -> result.figure("baseline: " + name, value.median()));
      now.figures().forEach((name, value) -> result.figure(name, value.median()));
      before.notes().forEach(note -> result.note("baseline: " + note));
      now.notes().forEach(result::note);
      result.ratio(now.ratios().median() / before.ratios().median());
    }
  }
}
