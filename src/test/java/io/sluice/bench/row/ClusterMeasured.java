package io.sluice.bench.row;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bench.BenchException;
import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.site.Site;
import io.sluice.bench.site.StockLoad;
import io.sluice.config.RedisConfig;
import io.sluice.metrics.Meters;
import io.sluice.stock.StockConnection;
import io.sluice.stock.redis.RedisConnector;
import io.sluice.stock.redis.RedisStock;
import io.sluice.testkit.redis.RedisBackend;
import io.sluice.testkit.redis.RedisCluster;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Row 16, what a cluster costs: grants by one event loop, past HTTP, log and ledger, from a cluster
 * of three primaries beside one Redis. All share the machine, so this shows what an order costs,
 * not how far three primaries scale.
 */
public final class ClusterMeasured implements Measurement {
  private static final int PRIMARIES = 3;
  private static final int BUCKETS = 64;
  private static final int SKUS = 10_000;
  private static final int TIMEOUT_MS = 10_000;

  @Override
  public void measure(Site site, Plan plan, Result result, Consumer<String> step) {
    RedisBackend own = site.backends().redis();
    if (!own.clusterable()) {
      throw new BenchException("a cluster needs a redis-server of version 7 or newer");
    }
    step.accept("starting a cluster");
    Vertx vertx = Vertx.vertx();
    try (RedisCluster cluster = RedisCluster.of(own, PRIMARIES, 0)) {
      StockLoad one =
          load(vertx, RedisConfig.standalone(own.uri(), TIMEOUT_MS, 0, ""), List.of(own));
      List<String> uris = cluster.nodes().stream().map(RedisBackend::uri).toList();
      StockLoad three =
          load(
              vertx,
              new RedisConfig("cluster", "redis://127.0.0.1:6379", uris, "", TIMEOUT_MS, 0, ""),
              cluster.nodes());
      step.accept("loading 10,000 SKUs, and one of 64 buckets");
      Stream.of(one, three).forEach(each -> each.open(BUCKETS, SKUS));
      Stream.of(one, three).forEach(each -> each.grantFromBuckets(plan.warmUp().dividedBy(4)));
      for (int run = 0; run < plan.runs(); run++) {
        step.accept("one SKU of 64 buckets");
        StockLoad.Rate oneBuckets = one.grantFromBuckets(plan.length());
        StockLoad.Rate threeBuckets = three.grantFromBuckets(plan.length());
        step.accept("10,000 SKUs");
        StockLoad.Rate oneSkus = one.grantFromSkus(plan.length());
        StockLoad.Rate threeSkus = three.grantFromSkus(plan.length());
        figures(result, "64 buckets", oneBuckets, threeBuckets);
        figures(result, "10,000 SKUs", oneSkus, threeSkus);
        result.ratio(threeBuckets.perSecond() / oneBuckets.perSecond());
        result.figure(
            "10,000 SKUs, cluster / one Redis", threeSkus.perSecond() / oneSkus.perSecond());
      }
    } finally {
      vertx.close();
    }
  }

  private static StockLoad load(Vertx vertx, RedisConfig config, List<RedisBackend> nodes) {
    StockConnection stock =
        RedisStock.open(
            vertx, new RedisConnector(vertx, config), new Meters(new SimpleMeterRegistry()));
    return StockLoad.on(vertx.getOrCreateContext(), stock, nodes);
  }

  private static void figures(
      Result result, String what, StockLoad.Rate one, StockLoad.Rate cluster) {
    result.figure(what + ", one Redis: grants/s", one.perSecond());
    result.figure(what + ", cluster: grants/s", cluster.perSecond());
    result.figure(what + ", one Redis: its us per grant", one.redisUs());
    result.figure(what + ", cluster: its us per grant", cluster.redisUs());
    result.figure(what + ", one Redis: client's us per grant", one.clientUs());
    result.figure(what + ", cluster: client's us per grant", cluster.clientUs());
  }
}
