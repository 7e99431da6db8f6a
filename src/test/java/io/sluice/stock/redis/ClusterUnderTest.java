package io.sluice.stock.redis;

import static io.sluice.contract.StockUnderTest.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.config.RedisConfig;
import io.sluice.metrics.Meters;
import io.sluice.model.BucketId;
import io.sluice.testkit.redis.RedisBackend;
import io.sluice.testkit.redis.RedisCluster;
import io.sluice.testkit.server.Backends;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import java.util.List;

/** A cluster of three primaries without replicas, and a Vert.x for calls. */
final class ClusterUnderTest implements AutoCloseable {
  private static final int TIMEOUT_MS = 2_000;

  final Vertx vertx = Vertx.vertx();
  final OnContext loop = new OnContext(vertx.getOrCreateContext());
  final Meters meters = new Meters(new SimpleMeterRegistry());
  final RedisCluster cluster;

  ClusterUnderTest() {
    RedisBackend kin = Backends.shared().redis();
    assumeTrue(kin.clusterable(), "clusters of " + kin.describe());
    cluster = RedisCluster.of(kin, 3, 0);
  }

  /** With these seeds. */
  RedisConnector connector(List<String> uris) {
    return new RedisConnector(
        vertx, new RedisConfig("cluster", "redis://127.0.0.1:6379", uris, "", TIMEOUT_MS, 0, ""));
  }

  RedisConnector connector() {
    return connector(List.of(cluster.nodes().get(0).uri()));
  }

  /** Overwrites the run id and replication id that the bucket was loaded under. */
  void writeHistory(int partition, BucketId bucket, String history) {
    String[] ids = history.split(":", 2);
    byte[] key = StockKeys.of(partition, bucket).stock();
    send(partition, Request.cmd(Command.HSET, key, "run_id", ids[0], "replid", ids[1]));
  }

  /** Deletes one of the bucket's keys. */
  void vanish(int partition, BucketId bucket, String key) {
    String head = RedisUnderTest.text(StockKeys.of(partition, bucket).stock());
    send(partition, Request.cmd(Command.DEL, key + head.substring("stock".length())));
  }

  private void send(int partition, Request request) {
    Redis client = Redis.createClient(vertx, cluster.primaryOf(partition).uri());
    try {
      await(client.send(request));
    } finally {
      await(client.close());
    }
  }

  @Override
  public void close() {
    await(vertx.close());
    cluster.close();
  }
}
