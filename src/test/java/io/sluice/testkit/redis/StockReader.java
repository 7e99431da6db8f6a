package io.sluice.testkit.redis;

import io.sluice.model.Grant;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reads a bucket's keys in Redis directly, also those of a build of format 1. */
public final class StockReader implements AutoCloseable {
  private static final int REDIS_LIMIT_S = 10;

  private final Redis redis;
  private final Placed placed;
  private final Map<String, Long> partitions = new ConcurrentHashMap<>();

  /** Where a bucket is. */
  public interface Placed {
    long partition(long skuId, int bucket);
  }

  public StockReader(Vertx vertx, String uri, Placed placed) {
    this.redis = Redis.createClient(vertx, uri);
    this.placed = placed;
  }

  /** Units that could be granted now, or -1 where the bucket is absent. */
  public long available(long skuId, int bucket) {
    long available = available(key("stock", skuId, bucket));
    return available >= 0 ? available : available(keyOfFormat1("stock", skuId, bucket));
  }

  private long available(String key) {
    Response fields =
        ask(Request.cmd(Command.HMGET).arg(key).arg("total").arg("claimed").arg("released"));
    if (fields.get(0) == null) {
      return -1;
    }
    return fields.get(0).toLong() - fields.get(1).toLong() + fields.get(2).toLong();
  }

  /** Grants that are not known to be in the ledger. */
  public long unbooked(long skuId, int bucket) {
    return count(key("unbooked", skuId, bucket)) + count(keyOfFormat1("unbooked", skuId, bucket));
  }

  private long count(String key) {
    return ask(Request.cmd(Command.ZCARD).arg(key)).toLong();
  }

  /** All keys of a SKU, in any partition. */
  public List<String> keysOf(long skuId) {
    return ask(Request.cmd(Command.KEYS).arg("*:{p*}:" + skuId + ":*")).stream()
        .map(Response::toString)
        .toList();
  }

  /** Raises {@code claimed} without a grant. */
  public void plantClaimed(long skuId, int bucket, long units) {
    ask(Request.cmd(Command.HINCRBY).arg(key("stock", skuId, bucket)).arg("claimed").arg(units));
  }

  /** Records a grant that is long overdue to be booked, without a unit for it. */
  public void plantGrant(Grant grant) {
    long skuId = grant.token().bucketId().skuId();
    int bucket = grant.token().bucketId().bucket();
    String record =
        "L|%d|%d|%d|%d|%d|0||%s"
            .formatted(grant.qty(), grant.seq(), grant.epoch(), 1, 2, grant.userId());
    String token = grant.token().value();
    ask(Request.cmd(Command.HSET).arg(key("reserve", skuId, bucket)).arg(token).arg(record));
    ask(Request.cmd(Command.ZADD).arg(key("unbooked", skuId, bucket)).arg(1).arg(token));
  }

  @Override
  public void close() {
    redis.close();
  }

  private Response ask(Request request) {
    try {
      return redis
          .send(request)
          // The server may have been restarted since this connection was opened.
          .recover(broken -> redis.send(request))
          .await(REDIS_LIMIT_S, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("Redis did not answer " + request, e);
    }
  }

  private String key(String kind, long skuId, int bucket) {
    String id = skuId + ":" + bucket;
    return "%s:{p%d}:%s".formatted(kind, partitionOf(id, skuId, bucket), id);
  }

  private long partitionOf(String id, long skuId, int bucket) {
    Long known = partitions.get(id);
    long partition = known != null ? known : placed.partition(skuId, bucket);
    if (partition >= 0) {
      partitions.put(id, partition);
    }
    return partition;
  }

  private static String keyOfFormat1(String kind, long skuId, int bucket) {
    return "%s:{%d:%d}".formatted(kind, skuId, bucket);
  }
}
