package io.sluice.bench.schemes;

import io.vertx.core.Future;
import io.vertx.redis.client.Command;

/**
 * INCR of the consumed units up to a ceiling that a restock raises, and SETNX on the number; then
 * the order in the database. A request beyond the ceiling sets the counter back to it.
 */
final class IncrementToCeiling implements Scheme {
  private final SchemeParts parts;

  IncrementToCeiling(SchemeParts parts) {
    this.parts = parts;
  }

  @Override
  public Future<Void> restock(long skuId, long units) {
    return parts.redis(Command.INCRBY, ceiling(skuId), units).mapEmpty();
  }

  @Override
  public Future<Verdict> order(long skuId, String user) {
    Future<Long> number = parts.number(Command.INCR, consumed(skuId));
    Future<Long> ceiling = parts.number(Command.GET, ceiling(skuId));
    return Future.all(number, ceiling)
        .compose(both -> mark(skuId, user, number.result(), ceiling.result()));
  }

  private Future<Verdict> mark(long skuId, String user, long number, long ceiling) {
    if (number > ceiling) {
      return parts.redis(Command.SET, consumed(skuId), ceiling).map(Verdict.SOLD_OUT);
    }
    return parts.orderOnce("incr:mark:" + skuId + ":" + number, skuId, user);
  }

  @Override
  public Future<Books> books(long skuId) {
    Future<Long> ceiling = parts.number(Command.GET, ceiling(skuId));
    Future<Long> consumed = parts.number(Command.GET, consumed(skuId));
    Future<Long> orders = parts.orders(skuId);
    return Future.all(ceiling, consumed, orders)
        .map(
            all ->
                new Books(
                    ceiling.result(),
                    Math.min(ceiling.result(), consumed.result()),
                    orders.result()));
  }

  private static String consumed(long skuId) {
    return "incr:consumed:" + skuId;
  }

  private static String ceiling(long skuId) {
    return "incr:ceiling:" + skuId;
  }
}
