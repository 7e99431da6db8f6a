package io.sluice.bench.row;

import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.load.Heard;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.site.BooksCheck;
import io.sluice.bench.site.Memory;
import io.sluice.bench.site.Site;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Row 7: grants, then bookings, once with a million orders in the ledger that wait for payment and
 * once on a second site whose ledger, Redis and log are almost empty. The row's ratio is that of
 * the grants; the ratio of the bookings is a figure beside it.
 */
public final class HeldMeasured implements Measurement {
  private static final long HELD = Long.getLong("pending", 1_000_000);

  @Override
  public void measure(Site site, Plan plan, Result result, Consumer<String> step) {
    LoadSpec full = site.volley(site.newSkus(1, GrantsMeasured.PLENTY), 1);
    step.accept("ordering %,d units".formatted(HELD));
    long held = 0;
    while (held < HELD) {
      held += site.fire(full.lasting(plan.warmUp())).accepted();
    }
    step.accept("booking them");
    site.drain();
    result.note("%,d PENDING; service: %s".formatted(held, Memory.of(site.service().pid())));
    step.accept("starting another set of servers");
    try (Site emptySite = Site.open(plan, Map.of())) {
      step.accept("warming up");
      site.warmUp(full, plan);
      LoadSpec empty = emptySite.volley(emptySite.newSkus(1, GrantsMeasured.PLENTY), 1);
      emptySite.warmUp(empty, plan);
      for (int run = 0; run < plan.runs(); run++) {
        step.accept("none held");
        Figures none = measure(emptySite, site, empty);
        step.accept("%,d held".formatted(held));
        Figures many = measure(site, emptySite, full);
        result.figure("grants/s, none held", none.granted());
        result.figure("grants/s, many held", many.granted());
        result.figure("booked/s, none held", none.booked());
        result.figure("booked/s, many held", many.booked());
        result.figure("booking, many / none held", many.booked() / none.booked());
        result.ratio(many.granted() / none.granted());
      }
      step.accept("auditing");
      emptySite.drain();
      result.note("none held: " + new BooksCheck(emptySite).run());
    }
  }

  private record Figures(double granted, double booked) {}

  /** Measures one site while the other one has no work left. */
  private static Figures measure(Site site, Site idle, LoadSpec volley) {
    idle.drain();
    site.drain();
    Heard heard = site.fire(volley);
    Refused.none(heard);
    return new Figures(heard.perSecond(), BookingRate.of(site, volley.firstSku()));
  }
}
