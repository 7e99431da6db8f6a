package io.sluice.bench.row;

import io.sluice.bench.BenchException;
import io.sluice.bench.Figure;
import io.sluice.bench.Measurement;
import io.sluice.bench.load.Heard;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.site.Site;
import io.sluice.bench.site.Spent;
import java.time.Duration;

/** How a service books the backlog that a stampede has left, while no orders arrive. */
public final class Backlog {
  /** One bucket each. */
  static final int SKUS = 128;

  private static final int ORDERS = Integer.getInteger("orders", 200_000);

  /** Booking needs as long to notice that the stampede is over. */
  private static final Duration NOTICE = Duration.ofSeconds(1);

  /** Of what was ordered: less is no backlog. */
  private static final double LEFT_MIN = 0.05;

  private Backlog() {}

  public static Measurement.Maker booked() {
    return (site, plan, step) -> {
      LoadSpec volley = site.volley(Saturated.STAMPEDE, site.newSkus(SKUS, Saturated.PLENTY), SKUS);
      step.accept("warming up");
      site.warmUp(volley);
      return result -> {
        long ordered = order(site, volley, ORDERS);
        Site.pass(NOTICE);
        step.accept("booking");
        long before = site.books().booked(volley.firstSku(), SKUS);
        Spent spent = Spent.begin(site);
        long startNs = System.nanoTime();
        Site.await("the end of the backlog", () -> site.unbookedRecords() == 0);
        double seconds = (System.nanoTime() - startNs) / 1e9;
        long orders = site.books().booked(volley.firstSku(), SKUS) - before;
        if (orders < LEFT_MIN * ordered) {
          throw new BenchException(
              "Expected a backlog of %,d orders, but %,d were left".formatted(ordered, orders));
        }
        site.drain();
        spent.on(orders, result);
        result.add(Figure.BOOKED, orders / seconds);
        result.note("%,d of %,d orders were left".formatted(orders, ordered));
      };
    };
  }

  /** Orders about that many; returns how many there are. */
  static long order(Site site, LoadSpec volley, long wanted) {
    site.drain();
    long count = 0;
    long seconds = 1;
    while (count < wanted) {
      Heard heard = site.fire(volley.lasting(Duration.ofSeconds(seconds)));
      Saturated.expectGranted(heard);
      count += heard.accepted();
      // In whole seconds, as wrk wants it. A cold service says little about the next seconds.
      seconds =
          Math.max(1, Math.min(2 * seconds, Math.round((wanted - count) / heard.perSecond())));
    }
    return count;
  }
}
