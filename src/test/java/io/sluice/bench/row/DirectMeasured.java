package io.sluice.bench.row;

import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.load.Heard;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.site.BacklogBooked;
import io.sluice.bench.site.BooksCheck;
import io.sluice.bench.site.CpuSpent;
import io.sluice.bench.site.ServiceMetrics;
import io.sluice.bench.site.Site;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Row 20: orders of a SKU that sells in the ledger alone, and orders past a full log, beside what
 * the same ledger books from a backlog of the log, in turn. While direct orders are measured, the
 * processors also serve HTTP and the generator; while the backlog is booked, no orders arrive.
 */
public final class DirectMeasured implements Measurement {
  public static final String PAST_THE_LOG = "past a full log / booked from the log";

  private static final int ORDERS = Integer.getInteger("orders", 200_000);

  /** One bucket each. */
  private static final int SKUS = 128;

  /** A log that is full with its first record, and a budget that no run reaches. */
  private static final Map<String, String> FULL_LOG =
      Map.of(
          "SLUICE_KAFKA_LAG_ACTION",
          "direct",
          "SLUICE_KAFKA_LAG_LIMIT",
          "1",
          "SLUICE_RESERVATION_DIRECT_PER_S",
          "1000000");

  @Override
  public void measure(Site site, Plan plan, Result result, Consumer<String> step) {
    LoadSpec logged = site.volley(site.newSkus(SKUS, GrantsMeasured.PLENTY), SKUS);
    LoadSpec direct = site.volley(site.newDirectSku(GrantsMeasured.PLENTY), 1);
    step.accept("starting a service whose log is full");
    try (Site full = Site.open(plan, FULL_LOG)) {
      LoadSpec past = full.volley(full.newSkus(1, GrantsMeasured.PLENTY), 1);
      step.accept("warming up");
      site.warmUp(logged, plan);
      site.warmUp(direct, plan);
      full.warmUp(past, plan);
      full.drain();
      for (int run = 0; run < plan.runs(); run++) {
        step.accept("booking from the log");
        double booked = fromTheLog(site, logged, result);
        step.accept("orders of a direct SKU");
        Heard heard = fire("a direct SKU", site, direct, result);
        double perSecond = heard.accepted() / heard.seconds();
        result.figure("direct orders/s", perSecond);
        result.figure("direct orders p99 us", heard.p99Us());
        site.drain();
        step.accept("orders past a full log");
        double pastTheLog = pastTheLog(full, past, result);
        result.figure(PAST_THE_LOG, pastTheLog / booked);
        result.ratio(perSecond / booked);
      }
      result.note("past a full log: " + new BooksCheck(full).run());
    }
  }

  private static double fromTheLog(Site site, LoadSpec volley, Result result) {
    site.drain();
    Orders.place(site, volley, ORDERS, placed -> {});
    CpuSpent cpu = CpuSpent.of(site);
    cpu.begin();
    BacklogBooked backlog = BacklogBooked.watch(site, volley.firstSku(), SKUS);
    cpu.end();
    result.note("booked from the log and told: " + cpu.perOrder(backlog.orders()));
    result.figure("booked/s, from the log", backlog.perSecond());
    return backlog.perSecond();
  }

  private static Heard fire(String what, Site site, LoadSpec volley, Result result) {
    CpuSpent cpu = CpuSpent.of(site);
    cpu.begin();
    Heard heard = site.fire(volley);
    cpu.end();
    result.note(what + ": " + cpu.perOrder(heard.accepted()));
    return heard;
  }

  /** Those alone that were booked past the log. */
  private static double pastTheLog(Site full, LoadSpec volley, Result result) {
    long before = ServiceMetrics.of(full).directBookings();
    Heard heard = fire("past a full log", full, volley, result);
    double perSecond = (ServiceMetrics.of(full).directBookings() - before) / heard.seconds();
    result.figure("orders booked past a full log/s", perSecond);
    result.figure("all orders with a full log/s", heard.accepted() / heard.seconds());
    result.figure("orders with a full log p99 us", heard.p99Us());
    full.drain();
    return perSecond;
  }
}
