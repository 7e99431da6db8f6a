package io.sluice.bench.row;

import io.sluice.bench.BenchException;
import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.load.OwnGenerator;
import io.sluice.bench.site.LoadedSkus;
import io.sluice.bench.site.OrderProbe;
import io.sluice.bench.site.Site;
import io.sluice.testkit.redis.RedisBackend;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * Row 13: Redis is killed and comes back empty, as another process; how long after it answers again
 * orders are granted, of a SKU with a million orders and of a live one with few, which has the same
 * owner. The row's ratio is the time of the large one, in seconds.
 */
public final class RecoveryMeasured implements Measurement {
  private static final int LARGE = Integer.getInteger("recovered", 1_000_000);

  /** Some of them have the partition of the large one. */
  private static final int CANDIDATES = 64;

  private static final long PLENTY = 1_000_000;
  private static final int LIVE_PER_S = 200;
  private static final Duration LIVE = Duration.ofSeconds(2);
  private static final Duration LOOK = Duration.ofMillis(20);

  /** Its buyers do not press while the live one is closed. */
  private static final int LARGE_LOOKS_ONE_IN = 10;

  private static final Duration LIMIT = Duration.ofMinutes(10);

  /** The SKUs of a site. */
  private record Skus(long large, long live) {}

  /** In seconds since Redis answered. */
  private record Opened(double liveS, double largeS) {}

  private final Map<Site, Skus> prepared = new HashMap<>();

  @Override
  public void measure(Site site, Plan plan, Result result, Consumer<String> step) {
    Skus skus = prepared.computeIfAbsent(site, first -> prepare(first, result, step));
    LoadSpec live = site.volley(skus.live(), 1).arriving(LIVE_PER_S).lasting(LIVE);
    for (int run = 0; run < plan.runs(); run++) {
      step.accept("selling the live SKU");
      site.fire(new OwnGenerator(), live);
      site.drain();
      step.accept("emptying Redis");
      Opened opened = empty(site, skus, step);
      result.figure("live SKU open again s", opened.liveS());
      result.figure("large SKU open again s", opened.largeS());
      result.figure("time until open, live SKU / large SKU", opened.liveS() / opened.largeS());
      result.ratio(opened.largeS());
      step.accept("waiting for all other SKUs");
      new LoadedSkus(site).await(LIMIT);
    }
  }

  private static Skus prepare(Site site, Result result, Consumer<String> step) {
    if (!site.backends().redis().killable()) {
      throw new BenchException("row 13 needs a Redis that it may kill");
    }
    long large = site.newSkus(1, GrantsMeasured.PLENTY);
    long first = site.newSkus(CANDIDATES, PLENTY);
    long live =
        LongStream.range(first, first + CANDIDATES)
            .filter(sku -> site.partition(sku) == site.partition(large))
            .findFirst()
            .orElseThrow(() -> new BenchException("no SKU has the partition of the large one"));
    long placed =
        Orders.place(
            site,
            site.volley(large, 1),
            LARGE,
            count -> step.accept("ordering: %,d of %,d".formatted(count, LARGE)));
    step.accept("booking %,d orders".formatted(placed));
    site.drain();
    result.note("the large SKU has %,d orders".formatted(placed));
    return new Skus(large, live);
  }

  private static Opened empty(Site site, Skus skus, Consumer<String> step) {
    RedisBackend redis = site.backends().redis();
    redis.kill();
    redis.wipe();
    redis.start();
    long startNs = System.nanoTime();
    OrderProbe live = new OrderProbe(site, skus.live());
    OrderProbe large = new OrderProbe(site, skus.large());
    double liveS = 0;
    double largeS = 0;
    step.accept("waiting for both SKUs");
    for (long look = 1; liveS == 0 || largeS == 0; look++) {
      if (System.nanoTime() - startNs > LIMIT.toNanos()) {
        throw new BenchException("Expected both SKUs to be open within " + LIMIT);
      }
      if (liveS == 0 && live.isGranted()) {
        liveS = since(startNs);
        step.accept("waiting for the large SKU");
      }
      boolean isLook = liveS > 0 || look % LARGE_LOOKS_ONE_IN == 0;
      if (largeS == 0 && isLook && large.isGranted()) {
        largeS = since(startNs);
      }
      LockSupport.parkNanos(LOOK.toNanos());
    }
    return new Opened(liveS, largeS);
  }

  private static double since(long startNs) {
    return (System.nanoTime() - startNs) / 1e9;
  }
}
