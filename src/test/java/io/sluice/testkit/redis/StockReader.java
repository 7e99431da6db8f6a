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
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Reads a bucket's keys in Redis directly. */
public final class StockReader implements AutoCloseable {
  private static final int REDIS_LIMIT_S = 10;

  /** A grant with the count of its bucket's entries: it is whole at each moment. */
  private static final String PLANT =
      """
      redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
      redis.call('ZADD', KEYS[3], 1, ARGV[1])
      return redis.call('HSET', KEYS[1], 'entries', string.format('%d:%d:%d',
        redis.call('HLEN', KEYS[2]), redis.call('ZCARD', KEYS[3]), redis.call('HLEN', KEYS[4])))
      """;

  private final Vertx vertx;
  private final Map<String, Redis> clients = new ConcurrentHashMap<>();
  private final Placed placed;
  private volatile Homes homes;
  private final Map<String, Long> partitions = new ConcurrentHashMap<>();

  /** Where a bucket is. */
  public interface Placed {
    long partition(long skuId, int bucket);
  }

  /** Where the Redis is that has a partition. */
  public interface Homes {
    String uri(long partition);
  }

  public StockReader(Vertx vertx, String uri, Placed placed) {
    this.vertx = vertx;
    this.homes = partition -> uri;
    this.placed = placed;
  }

  /** From now on reads from a cluster. */
  public void readFrom(Homes cluster) {
    homes = cluster;
  }

  /** Units that could be granted now, or -1 where the bucket is absent. */
  public long available(long skuId, int bucket) {
    Response fields =
        ask(
            partition(skuId, bucket),
            Request.cmd(Command.HMGET)
                .arg(key("stock", skuId, bucket))
                .arg("total")
                .arg("claimed")
                .arg("released"));
    if (fields.get(0) == null) {
      return -1;
    }
    return fields.get(0).toLong() - fields.get(1).toLong() + fields.get(2).toLong();
  }

  /** Grants that are not known to be in the ledger. */
  public long unbooked(long skuId, int bucket) {
    return ask(
            partition(skuId, bucket),
            Request.cmd(Command.ZCARD).arg(key("unbooked", skuId, bucket)))
        .toLong();
  }

  /** Grants that are recorded, also those whose orders have ended. */
  public long records(long skuId, int bucket) {
    return fields("reserve", skuId, bucket);
  }

  /** Buyers of whom it is counted what they have, as there is a limit. */
  public long buyers(long skuId, int bucket) {
    return fields("buyers", skuId, bucket);
  }

  private long fields(String kind, long skuId, int bucket) {
    String key = key(kind, skuId, bucket);
    return ask(partition(skuId, bucket), Request.cmd(Command.HLEN).arg(key)).toLong();
  }

  /** Buckets may have been placed anew, for the next sale of their SKU. */
  public void forgetPlaces() {
    partitions.clear();
  }

  /** All keys of a SKU, in any partition; not in a cluster. */
  public List<String> keysOf(long skuId) {
    return keysOf(skuId, 0L);
  }

  /** The same wherever partitions are, of which there are so many. */
  public List<String> keysOf(long skuId, int ofPartitions) {
    return LongStream.range(0, ofPartitions)
        .boxed()
        .collect(Collectors.toMap(homes::uri, partition -> partition, (one, other) -> one))
        .values()
        .stream()
        .flatMap(partition -> keysOf(skuId, partition.longValue()).stream())
        .toList();
  }

  private List<String> keysOf(long skuId, long partition) {
    return ask(partition, Request.cmd(Command.KEYS).arg("*:{p*}:" + skuId + ":*")).stream()
        .map(Response::toString)
        .toList();
  }

  /** Leaves a bucket as a release has loaded it that does not know the total of its SKU. */
  public void forgetSkuTotal(long skuId, int bucket) {
    ask(
        partition(skuId, bucket),
        Request.cmd(Command.HDEL).arg(key("stock", skuId, bucket)).arg("sku_total"));
  }

  /** Deletes one of a bucket's keys: stock, reserve, unbooked or buyers. */
  public void deleteKey(String kind, long skuId, int bucket) {
    ask(partition(skuId, bucket), Request.cmd(Command.DEL).arg(key(kind, skuId, bucket)));
  }

  /** Raises {@code claimed} without a grant. */
  public void plantClaimed(long skuId, int bucket, long units) {
    ask(
        partition(skuId, bucket),
        Request.cmd(Command.HINCRBY).arg(key("stock", skuId, bucket)).arg("claimed").arg(units));
  }

  /** Records a grant that is long overdue to be booked, without a unit for it. */
  public void plantGrant(Grant grant) {
    long skuId = grant.token().bucketId().skuId();
    int bucket = grant.token().bucketId().bucket();
    String record =
        "L|%d|%d|%d|%d|%d|0||%s"
            .formatted(grant.qty(), grant.seq(), grant.epoch(), 1, 2, grant.userId());
    ask(
        partition(skuId, bucket),
        Request.cmd(Command.EVAL)
            .arg(PLANT)
            .arg(4)
            .arg(key("stock", skuId, bucket))
            .arg(key("reserve", skuId, bucket))
            .arg(key("unbooked", skuId, bucket))
            .arg(key("buyers", skuId, bucket))
            .arg(grant.token().value())
            .arg(record));
  }

  @Override
  public void close() {
    clients.values().forEach(Redis::close);
  }

  private Response ask(long partition, Request request) {
    Redis redis =
        clients.computeIfAbsent(homes.uri(partition), uri -> Redis.createClient(vertx, uri));
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
    return "%s:{p%d}:%d:%d".formatted(kind, partition(skuId, bucket), skuId, bucket);
  }

  private long partition(long skuId, int bucket) {
    String id = skuId + ":" + bucket;
    Long known = partitions.get(id);
    long partition = known != null ? known : placed.partition(skuId, bucket);
    if (partition >= 0) {
      partitions.put(id, partition);
    }
    return partition;
  }
}
