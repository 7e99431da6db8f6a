package io.sluice.bench.row;

import io.sluice.bench.BenchException;
import io.sluice.bench.Figure;
import io.sluice.bench.Measurement;
import io.sluice.bench.Result;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.site.Site;
import io.sluice.testkit.redis.RedisBackend;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Call;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * Redis is killed and comes back empty, as another process: how long after it answers again an
 * order is granted, of a SKU with a million orders. A live SKU with few, which has the same owner,
 * should be first.
 */
public final class Recovery implements Measurement {
  private static final int LARGE = Integer.getInteger("recovered", 1_000_000);

  /** Some of them have the partition of the large one. */
  private static final int CANDIDATES = 64;

  private static final int LIVE_PER_S = 200;
  private static final Duration LIVE = Duration.ofSeconds(2);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(3);
  private static final Duration LOOK = Duration.ofMillis(20);

  /** Buyers of the large one do not press while the live one is closed. */
  private static final int LARGE_LOOKS_ONE_IN = 10;

  private final Site site;
  private final Consumer<String> step;
  private final long large;
  private final long live;

  private Recovery(Site site, Consumer<String> step) {
    if (!site.backends().redis().killable()) {
      throw new BenchException("recovery needs a Redis that it may kill");
    }
    this.site = site;
    this.step = step;
    large = site.newSkus(1, Saturated.PLENTY);
    long first = site.newSkus(CANDIDATES, Saturated.PLENTY);
    live =
        LongStream.range(first, first + CANDIDATES)
            .filter(sku -> site.partition(sku) == site.partition(large))
            .findFirst()
            .orElseThrow(() -> new BenchException("no SKU has the partition of the large one"));
    step.accept("ordering %,d units".formatted(LARGE));
    Backlog.order(site, site.volley(Saturated.STAMPEDE, large, 1), LARGE);
  }

  public static Maker ofRedis() {
    return (site, plan, step) -> new Recovery(site, step);
  }

  @Override
  public void run(Result result) {
    step.accept("selling the live SKU");
    LoadSpec few = site.volley(Saturated.STAMPEDE, live, 1).arriving(LIVE_PER_S).lasting(LIVE);
    site.fire(few);
    site.drain();
    step.accept("emptying Redis");
    RedisBackend redis = site.backends().redis();
    redis.kill();
    redis.wipe();
    redis.start();
    long startNs = System.nanoTime();
    double liveS = 0;
    double largeS = 0;
    for (long look = 1; largeS == 0; look++) {
      if (liveS == 0 && isGranted(live)) {
        liveS = (System.nanoTime() - startNs) / 1e9;
        step.accept("waiting for the large SKU");
      }
      if ((liveS > 0 || look % LARGE_LOOKS_ONE_IN == 0) && isGranted(large)) {
        largeS = (System.nanoTime() - startNs) / 1e9;
      }
      Site.pass(LOOK);
    }
    result.add(Figure.OPEN, largeS);
    result.note("the live SKU was open after %.1f s".formatted(liveS));
    step.accept("waiting for all other SKUs");
    site.ledger().totals().keySet().forEach(sku -> Site.await("SKU " + sku, () -> isLoaded(sku)));
    site.drain();
  }

  private boolean isGranted(long sku) {
    JsonObject body = new JsonObject().put("sku_id", sku).put("qty", 1);
    Call order =
        Call.post(site.service().url() + "/v1/orders")
            .header("X-User-Id", site.buyers())
            .json(body);
    Answer answer = site.caller().ask(order.within(ANSWER_LIMIT));
    site.books().note(sku, answer.isYes());
    return answer.isYes();
  }

  private boolean isLoaded(long sku) {
    String url = site.service().adminUrl() + "/admin/skus/" + sku;
    JsonObject first =
        site.caller().ask(Call.get(url)).json().getJsonArray("per_bucket").getJsonObject(0);
    // Nothing of a direct one is in Redis.
    return !first.containsKey("redis")
        || "OK".equals(first.getJsonObject("redis").getString("code"));
  }
}
