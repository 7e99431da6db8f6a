package io.sluice.stock.redis;

import static io.sluice.contract.StockUnderTest.await;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.config.RedisConfig;
import io.sluice.metrics.Meters;
import io.sluice.model.BucketId;
import io.sluice.testkit.redis.RedisBackend;
import io.sluice.testkit.server.Backends;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;

/** The tests' shared Redis, with a Vert.x for calls and a second connection for inspection. */
final class RedisUnderTest implements AutoCloseable {
  /** Long, so that a busy machine is not mistaken for a Redis that hangs. */
  static final int TIMEOUT_MS = 5_000;

  final Vertx vertx = Vertx.vertx();
  final OnContext loop = new OnContext(vertx.getOrCreateContext());
  final MeterRegistry registry = new SimpleMeterRegistry();
  final Meters meters = new Meters(registry);

  private final RedisBackend backend;

  RedisUnderTest() {
    this(Backends.shared().redis());
  }

  /** Another one than the shared one; the caller closes it. */
  RedisUnderTest(RedisBackend backend) {
    this.backend = backend;
  }

  RedisBackend backend() {
    return backend;
  }

  RedisConfig config() {
    return config(backend().uri(), 0);
  }

  static RedisConfig config(String uri, int replicaLagS) {
    return RedisConfig.standalone(uri, TIMEOUT_MS, replicaLagS, "");
  }

  RedisStock stock(RedisConfig config) {
    return new RedisStock(vertx, new RedisConnector(vertx, config), meters);
  }

  /** The same Redis as a user who may do all but this, if anything. */
  String uriOf(String user, String... forbidden) {
    List<String> rule =
        new ArrayList<>(List.of("SETUSER", user, "on", ">secret", "~*", "&*", "+@all"));
    rule.addAll(List.of(forbidden));
    send(Command.ACL, rule.toArray());
    return backend().uri().replace("redis://", "redis://" + user + ":secret@");
  }

  RedisConnector connector() {
    return new RedisConnector(vertx, config());
  }

  /** Sends a command on a connection of its own, without the store. */
  Response send(Command command, Object... arguments) {
    Redis client = Redis.createClient(vertx, backend().uri());
    try {
      return await(client.send(Request.cmd(command, arguments)));
    } finally {
      await(client.close());
    }
  }

  /** Overwrites the run id and replication id that the bucket was loaded under. */
  void writeHistory(BucketId bucket, String history) {
    String[] ids = history.split(":", 2);
    send(Command.HSET, StockKeys.of(0, bucket).stock(), "run_id", ids[0], "replid", ids[1]);
  }

  /** Deletes one of the bucket's keys. */
  void vanish(BucketId bucket, String key) {
    send(Command.DEL, key + text(StockKeys.of(0, bucket).stock()).substring("stock".length()));
  }

  /** The cause with which it fails, or null. */
  static Future<Throwable> causeOf(Future<?> call) {
    return call.transform(done -> Future.succeededFuture(done.cause()));
  }

  static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }

  @Override
  public void close() {
    await(vertx.close());
  }
}
