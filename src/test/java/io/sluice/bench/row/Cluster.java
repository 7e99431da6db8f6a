package io.sluice.bench.row;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bench.BenchException;
import io.sluice.bench.Figure;
import io.sluice.bench.Measurement;
import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.site.Site;
import io.sluice.config.RedisConfig;
import io.sluice.metrics.Meters;
import io.sluice.stock.redis.RedisConnector;
import io.sluice.stock.redis.RedisStock;
import io.sluice.testkit.redis.RedisBackend;
import io.sluice.testkit.redis.RedisCluster;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.Consumer;

/**
 * What a cluster costs: grants by one event loop, past HTTP, log and ledger, from a cluster of
 * three primaries beside one Redis. All share the machine, so this shows what an order costs, not
 * how far three primaries scale. The figures are those of the cluster, with one SKU of 64 buckets;
 * the service's time is that of the event loop.
 */
public final class Cluster implements Measurement {
  private static final int PRIMARIES = 3;
  private static final int BUCKETS = 64;
  private static final int TIMEOUT_MS = 10_000;

  /** Any other one must not be set beside the nodes of a cluster. */
  private static final String URI_BY_DEFAULT = "redis://127.0.0.1:6379";

  private final Plan plan;
  private final Consumer<String> step;
  private final Vertx vertx = Vertx.vertx();
  private final RedisCluster cluster;
  private final StockLoad one;
  private final StockLoad three;

  private Cluster(Site site, Plan plan, Consumer<String> step) {
    RedisBackend own = site.backends().redis();
    if (!own.clusterable()) {
      throw new BenchException("a cluster needs a redis-server of version 7 or newer");
    }
    this.plan = plan;
    this.step = step;
    step.accept("starting a cluster");
    cluster = RedisCluster.of(own, PRIMARIES, 0);
    List<String> uris = cluster.nodes().stream().map(RedisBackend::uri).toList();
    one = load(RedisConfig.standalone(own.uri(), TIMEOUT_MS, 0, ""), List.of(own));
    three =
        load(
            new RedisConfig("cluster", URI_BY_DEFAULT, uris, "", TIMEOUT_MS, 0, ""),
            cluster.nodes());
    step.accept("loading SKUs");
    for (StockLoad each : List.of(one, three)) {
      each.open(BUCKETS, Saturated.MANY);
      each.grantFromBuckets(plan.warmUp().dividedBy(4));
    }
  }

  public static Maker ofRedis() {
    return Cluster::new;
  }

  private StockLoad load(RedisConfig config, List<RedisBackend> nodes) {
    Meters meters = new Meters(new SimpleMeterRegistry());
    return StockLoad.on(
        vertx.getOrCreateContext(),
        RedisStock.open(vertx, new RedisConnector(vertx, config), meters),
        nodes);
  }

  @Override
  public void run(Result result) {
    step.accept("one SKU of 64 buckets");
    StockLoad.Rate alone = one.grantFromBuckets(plan.length());
    StockLoad.Rate buckets = three.grantFromBuckets(plan.length());
    step.accept("many SKUs");
    StockLoad.Rate manyAlone = one.grantFromSkus(plan.length());
    StockLoad.Rate many = three.grantFromSkus(plan.length());
    result.add(Figure.RATE, buckets.perSecond());
    result.add(Figure.RATIO, buckets.perSecond() / alone.perSecond());
    result.add(Figure.REDIS, buckets.redisUs());
    result.add(Figure.SERVICE, buckets.clientUs());
    result.note("one Redis: " + alone.text());
    result.note("%,d SKUs: %s".formatted(Saturated.MANY, many.text()));
    result.note("%,d SKUs, one Redis: %s".formatted(Saturated.MANY, manyAlone.text()));
  }

  @Override
  public void close() {
    cluster.close();
    vertx.close();
  }
}
