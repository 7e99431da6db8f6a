package io.sluice.bench.row;

import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.load.Generator;
import io.sluice.bench.load.Heard;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.load.OwnGenerator;
import io.sluice.bench.site.Site;
import java.util.function.Consumer;

/**
 * Row 5: requests arrive at a constant rate, half of the highest rate of grants; latency counts
 * from when each was due.
 */
public final class LatencyMeasured implements Measurement {

  @Override
  public void measure(Site site, Plan plan, Result result, Consumer<String> step) {
    Generator paced = new OwnGenerator();
    LoadSpec plenty = site.volley(site.newSkus(1, GrantsMeasured.PLENTY), 1);
    step.accept("warming up");
    site.fire(paced, plenty.lasting(plan.warmUp()));
    step.accept("finding the highest rate");
    Heard highest = site.fire(paced, plenty);
    Refused.none(highest);
    int half = (int) (highest.perSecond() / 2);
    result.note(
        "highest %,.0f grants/s, so %,d arrive a second".formatted(highest.perSecond(), half));
    LoadSpec arriving = plenty.arriving(half);
    LoadSpec bare = arriving.at(site.bareUrl());
    site.fire(paced, bare.lasting(plan.warmUp()));
    for (int run = 0; run < plan.runs(); run++) {
      step.accept("booking");
      site.drain();
      step.accept("bare at %,d/s".formatted(half));
      Heard reference = site.fire(paced, bare);
      step.accept("grants at %,d/s".formatted(half));
      Heard heard = site.fire(paced, arriving);
      Refused.none(heard);
      result.figure("bare p50 us", reference.p50Us());
      result.figure("bare p99 us", reference.p99Us());
      result.figure("grants p50 us", heard.p50Us());
      result.figure("grants p99 us", heard.p99Us());
      result.ratio((double) heard.p99Us() / reference.p99Us());
    }
  }
}
