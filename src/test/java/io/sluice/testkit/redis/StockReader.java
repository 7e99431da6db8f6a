package io.sluice.testkit.redis;

import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reads a bucket's keys in Redis directly. */
public final class StockReader implements AutoCloseable {
  private static final int REDIS_LIMIT_S = 10;

  private final Redis redis;

  public StockReader(Vertx vertx, String uri) {
    this.redis = Redis.createClient(vertx, uri);
  }

  /** Units that could be granted now, or -1 where the bucket is absent. */
  public long available(long skuId, int bucket) {
    Response fields =
        ask(
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
    return ask(Request.cmd(Command.ZCARD).arg(key("unbooked", skuId, bucket))).toLong();
  }

  /** Raises {@code claimed} without a grant. */
  public void plantClaimed(long skuId, int bucket, long units) {
    ask(Request.cmd(Command.HINCRBY).arg(key("stock", skuId, bucket)).arg("claimed").arg(units));
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

  private static String key(String kind, long skuId, int bucket) {
    return "%s:{%d:%d}".formatted(kind, skuId, bucket);
  }
}
