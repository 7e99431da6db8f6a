package io.sluice.bench.schemes;

import io.vertx.core.Future;
import io.vertx.redis.client.Command;

/**
 * DECR, with SETNX on the remainder as a guard against a wrong counter; then the order in the
 * database. Its known defect: a restock repeats remainders whose marks still exist.
 */
final class DecrementAndMark implements Scheme {
  private final SchemeParts parts;

  DecrementAndMark(SchemeParts parts) {
    this.parts = parts;
  }

  @Override
  public Future<Void> restock(long skuId, long units) {
    return parts
        .redis(Command.INCRBY, stock(skuId), units)
        .compose(v -> parts.redis(Command.INCRBY, "decr:total:" + skuId, units))
        .mapEmpty();
  }

  @Override
  public Future<Verdict> order(long skuId, String user) {
    return parts.number(Command.DECR, stock(skuId)).compose(left -> mark(skuId, user, left));
  }

  private Future<Verdict> mark(long skuId, String user, long left) {
    if (left < 0) {
      return parts.redis(Command.SET, stock(skuId), 0).map(Verdict.SOLD_OUT);
    }
    return parts.orderOnce("decr:mark:" + skuId + ":" + left, skuId, user);
  }

  @Override
  public Future<Books> books(long skuId) {
    Future<Long> total = parts.number(Command.GET, "decr:total:" + skuId);
    Future<Long> left = parts.number(Command.GET, stock(skuId));
    Future<Long> orders = parts.orders(skuId);
    return Future.all(total, left, orders)
        .map(
            all ->
                new Books(
                    total.result(), total.result() - Math.max(0, left.result()), orders.result()));
  }

  private static String stock(long skuId) {
    return "decr:stock:" + skuId;
  }
}
