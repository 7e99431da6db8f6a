package io.sluice.bench.row;

import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.load.Generator;
import io.sluice.bench.load.Heard;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.schemes.SchemeKind;
import io.sluice.bench.site.SchemeContender;
import io.sluice.bench.site.Site;
import java.util.function.Consumer;

/**
 * Row 4: the same sale with one EVALSHA, one record and one transaction per order. The row's ratio
 * is that of the grants; the ratio of the bookings, each measured while no orders arrive, is a
 * figure beside it.
 */
public final class OneByOneMeasured implements Measurement {
  @Override
  public void measure(Site site, Plan plan, Result result, Consumer<String> step) {
    Generator generator = site.generator();
    LoadSpec ours = site.volley(site.newSkus(1, GrantsMeasured.PLENTY), 1);
    try (SchemeContender other = new SchemeContender(site, plan, SchemeKind.QUEUED_ONE_BY_ONE)) {
      LoadSpec theirs = ours.at(other.url());
      long theirSku = other.newSku(GrantsMeasured.PLENTY);
      LoadSpec onTheirs = site.volley(theirs.url(), theirs.length(), theirSku, 1);
      step.accept("warming up");
      site.warmUp(ours, plan);
      site.drain();
      generator.fire(onTheirs.by(site.newBuyers()).lasting(plan.warmUp()));
      for (int run = 0; run < plan.runs(); run++) {
        step.accept("one by one");
        Heard one = generator.fire(onTheirs.by(site.newBuyers()));
        double theirBooking = BookingRate.of(() -> other.books(theirSku).recorded());
        // Its backlog would take minutes, so it is paused: Sluice is measured alone.
        other.pause();
        step.accept("ours");
        Heard all = site.fire(ours);
        double ourBooking = BookingRate.of(site, ours.firstSku());
        site.drain();
        other.resume();
        result.figure("one by one: grants/s", one.accepted() / one.seconds());
        result.figure("one by one: booked/s", theirBooking);
        result.figure("ours: grants/s", all.accepted() / all.seconds());
        result.figure("ours: booked/s", ourBooking);
        result.figure("booking, ours / one by one", ourBooking / theirBooking);
        result.ratio((all.accepted() / all.seconds()) / (one.accepted() / one.seconds()));
      }
    }
  }
}
