package io.sluice.bench.schemes;

import io.vertx.core.Future;
import io.vertx.redis.client.Command;

/**
 * A Lua script in Redis alone: it counts down and keeps the orders. No other store has them, so a
 * crash loses what Redis has not yet written to its file.
 */
final class LuaAlone implements Scheme {
  private static final String SCRIPT =
      """
      if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 then return 1 end
      if tonumber(redis.call('GET', KEYS[1]) or 0) < 1 then return 0 end
      redis.call('DECR', KEYS[1])
      redis.call('HSET', KEYS[2], ARGV[1], 1)
      return 1""";

  private final SchemeParts parts;
  private Future<String> sha;

  LuaAlone(SchemeParts parts) {
    this.parts = parts;
    this.sha = parts.redis(Command.SCRIPT, "LOAD", SCRIPT).map(Object::toString);
  }

  @Override
  public Future<Void> restock(long skuId, long units) {
    return parts
        .redis(Command.INCRBY, stock(skuId), units)
        .compose(v -> parts.redis(Command.INCRBY, total(skuId), units))
        .mapEmpty();
  }

  @Override
  public Future<Verdict> order(long skuId, String user) {
    return sha.compose(
            hash -> parts.number(Command.EVALSHA, hash, 2, stock(skuId), orders(skuId), user))
        .map(yes -> yes == 1 ? Verdict.GRANTED : Verdict.SOLD_OUT);
  }

  @Override
  public Future<Books> books(long skuId) {
    Future<Long> total = parts.number(Command.GET, total(skuId));
    Future<Long> left = parts.number(Command.GET, stock(skuId));
    Future<Long> orders = parts.number(Command.HLEN, orders(skuId));
    return Future.all(total, left, orders)
        .map(all -> new Books(total.result(), total.result() - left.result(), orders.result()));
  }

  private static String stock(long skuId) {
    return "lua:stock:" + skuId;
  }

  private static String total(long skuId) {
    return "lua:total:" + skuId;
  }

  private static String orders(long skuId) {
    return "lua:orders:" + skuId;
  }
}
