package io.sluice.bench.row;

import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.load.Heard;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.load.OwnGenerator;
import io.sluice.bench.site.Site;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * One kind of request on this build and on an older one, in turns of two seconds from one
 * generator: what the machine does besides then meets both alike. Each pair of turns is a ratio,
 * that of the two rates; every other pair starts with the older build. The bare server is not
 * asked: it would divide both by the same number. In shorter turns the cost of new connections
 * counts, which each turn opens.
 *
 * @param figure the name of the rate
 * @param units of the SKU that is ordered: one, and all are refused, or plenty
 */
public record Alternated(String figure, long units, Site baseline) implements Measurement {
  /** More units than are ordered. */
  public static final long PLENTY = GrantsMeasured.PLENTY;

  private static final Duration TURN = Duration.ofSeconds(2);
  private static final int PAIRS = 5;

  @Override
  public int ratios(Plan plan) {
    return plan.runs() * PAIRS;
  }

  @Override
  public void measure(Site site, Plan plan, Result result, Consumer<String> step) {
    LoadSpec now = site.volley(site.newSkus(1, units), 1);
    LoadSpec before = baseline.volley(baseline.newSkus(1, units), 1);
    step.accept("warming up");
    baseline.warmUp(before, plan);
    site.warmUp(now, plan);
    for (int run = 0; run < plan.runs(); run++) {
      step.accept("booking");
      site.drain();
      baseline.drain();
      step.accept("both builds in turn");
      pairs(site, now.lasting(TURN), before.lasting(TURN), result);
    }
    result
        .ratios()
        .confidence()
        .ifPresent(range -> result.note("ratio, median with 95 % confidence: " + range));
  }

  private void pairs(Site site, LoadSpec now, LoadSpec before, Result result) {
    List<LoadSpec> volleys = new ArrayList<>();
    for (int pair = 0; pair < PAIRS; pair++) {
      LoadSpec first = pair % 2 == 0 ? before : now;
      LoadSpec second = pair % 2 == 0 ? now : before;
      volleys.add(first.by(site.newBuyers()));
      volleys.add(second.by(site.newBuyers()));
    }
    List<Heard> heard = new OwnGenerator().fire(volleys);
    for (int pair = 0; pair < PAIRS; pair++) {
      int older = 2 * pair + pair % 2;
      int newer = 2 * pair + 1 - pair % 2;
      Heard ofBefore = baseline.note(before, heard.get(older), 0);
      Heard ofNow = site.note(now, heard.get(newer), 0);
      if (units > 1) {
        Refused.none(ofBefore);
        Refused.none(ofNow);
      }
      result.figure("baseline: " + figure, ofBefore.perSecond());
      result.figure(figure, ofNow.perSecond());
      result.figure("baseline: p99 us", ofBefore.p99Us());
      result.figure("p99 us", ofNow.p99Us());
      result.ratio(ofNow.perSecond() / ofBefore.perSecond());
    }
  }
}
