package io.sluice.bench.row;

import io.sluice.bench.Figure;
import io.sluice.bench.Measurement;
import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.load.Heard;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.site.Site;
import io.sluice.bench.site.Spent;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Orders that nobody pays are due within a minute, 1,667 a second: how long after its deadline a
 * unit is on sale again. Redis is asked every few milliseconds how many units are.
 */
public final class Timeouts {
  private static final int PER_S = 1_667;

  /** All are booked before the first is due. */
  private static final int BOOKED_WITHIN_S = 15;

  private static final Duration LOOK = Duration.ofMillis(5);
  private static final Duration WARM_UP = Duration.ofSeconds(5);
  private static final int CONNECTIONS = 512;

  private Timeouts() {}

  public static Measurement.Maker due() {
    return (site, plan, step) -> result -> run(site, plan, step, result);
  }

  private static void run(Site site, Plan plan, Consumer<String> step, Result result) {
    step.accept("warming up");
    long warm = site.newSkus(1, Saturated.PLENTY, 1);
    site.fire(site.volley(CONNECTIONS, warm, 1).arriving(PER_S).lasting(WARM_UP));
    site.drain();
    long windowS = plan.hold().toSeconds() + BOOKED_WITHIN_S;
    long sku = site.newSkus(1, Saturated.PLENTY, windowS);
    step.accept("ordering");
    LoadSpec orders = site.volley(CONNECTIONS, sku, 1).arriving(PER_S).lasting(plan.hold());
    Heard heard = site.fire(orders);
    Saturated.expectGranted(heard);
    Site.await("all bookings", () -> site.books().held(sku, 1) == heard.accepted());
    step.accept("waiting for their deadlines");
    Spent spent = Spent.begin(site);
    ReleaseLags lags = await(site, sku);
    site.drain();
    spent.on(heard.accepted(), result);
    result.add(Figure.RATE, heard.accepted() / (double) plan.hold().toSeconds());
    result.add(Figure.RELEASE_P50, lags.ms(0.50));
    result.add(Figure.RELEASE_P99, lags.ms(0.99));
    result.note("all units were back within %.0f ms".formatted(lags.ms(1)));
  }

  private static ReleaseLags await(Site site, long sku) {
    String due = "SELECT pay_before FROM orders WHERE status = 'PENDING' AND sku_id = " + sku;
    ReleaseLags lags =
        new ReleaseLags(
            site.ledger().query(due, row -> row.getLong(0)).stream()
                .mapToLong(Long::longValue)
                .toArray());
    long away = site.stock().available(sku, 0);
    while (!lags.isComplete()) {
      lags.seen(site.stock().available(sku, 0) - away, System.currentTimeMillis());
      Site.pass(LOOK);
    }
    return lags;
  }
}
