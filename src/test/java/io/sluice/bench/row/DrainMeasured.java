package io.sluice.bench.row;

import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.site.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Row 3: owners drain a backlog, relative to a plain loop that inserts the same rows. */
public final class DrainMeasured implements Measurement {

  @Override
  public void measure(Site site, Plan plan, Result result, Consumer<String> step) {
    List<String> processors = new ArrayList<>();
    DrainBench bench = new DrainBench(site.backends(), processors::add);
    step.accept("warming up");
    bench.warmUp();
    for (int run = 1; run <= plan.runs(); run++) {
      step.accept("filling, draining, inserting bare");
      DrainBench.Round round = bench.round(run);
      result.figure("booked/s, draining", round.drained());
      result.figure("bare inserts/s", round.bare());
      result.ratio(round.ratio());
    }
    processors.stream().skip(Math.max(0, processors.size() - 2)).forEach(result::note);
  }
}
