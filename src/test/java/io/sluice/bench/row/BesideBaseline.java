package io.sluice.bench.row;

import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.Samples;
import io.sluice.bench.site.Site;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Measures a row on this build and on an older one. Each run measures both, and every other run
 * starts with the older one, so that drift of the machine cancels out; the ratio is that of the
 * two. With few runs the noise of the machine decides; the notes say how sure the median is.
 */
public record BesideBaseline(Measurement row, Site baseline) implements Measurement {
  /** What the figures that compare one run of each begin with. */
  private static final String IN_TURN = "this / older build: ";

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
      rates(before, now).forEach((name, value) -> result.figure(IN_TURN + name, value));
      result.ratio(row.beside(before, now));
    }
    result.figures().forEach((name, values) -> confidence(name, values).ifPresent(result::note));
  }

  /** What is measured within seconds of each other differs less than the references do. */
  private static Map<String, Double> rates(Result before, Result now) {
    Map<String, Double> ratios = new LinkedHashMap<>();
    now.figures()
        .forEach(
            (name, value) -> {
              Samples older = before.figures().get(name);
              if ((name.endsWith("/s") || name.endsWith("/life")) && older != null) {
                ratios.put(name, value.median() / older.median());
              }
            });
    return ratios;
  }

  private static Optional<String> confidence(String name, Samples values) {
    return name.startsWith(IN_TURN)
        ? values.confidence().map(range -> name + ", median with 95 % confidence: " + range)
        : Optional.empty();
  }
}
