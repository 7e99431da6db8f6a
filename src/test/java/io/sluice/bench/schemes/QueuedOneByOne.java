package io.sluice.bench.schemes;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Redis and a queue: one EVALSHA and one record per order, and one transaction per order behind the
 * queue ({@link QueueConsumer}). A crash between the first two steps loses the unit: deducted, but
 * never ordered.
 */
final class QueuedOneByOne implements Scheme {
  private final SchemeParts parts;
  private final LuaAlone redis;

  QueuedOneByOne(SchemeParts parts) {
    this.parts = parts;
    this.redis = new LuaAlone(parts);
  }

  @Override
  public Future<Void> restock(long skuId, long units) {
    return redis.restock(skuId, units);
  }

  @Override
  public Future<Verdict> order(long skuId, String user) {
    return redis
        .order(skuId, user)
        .compose(
            verdict ->
                verdict == Verdict.GRANTED
                    ? send(skuId, user).map(verdict)
                    : Future.succeededFuture(verdict));
  }

  private Future<Void> send(long skuId, String user) {
    Context context = parts.vertx().getOrCreateContext();
    Promise<Void> acked = Promise.promise();
    parts
        .producer()
        .send(
            new ProducerRecord<>(SchemeParts.TOPIC, String.valueOf(skuId), user),
            (sent, failure) -> context.runOnContext(v -> acked.handle(outcome(failure))));
    return acked.future();
  }

  private static Future<Void> outcome(Exception failure) {
    return failure == null ? Future.succeededFuture() : Future.failedFuture(failure);
  }

  @Override
  public Future<Books> books(long skuId) {
    return redis
        .books(skuId)
        .compose(
            books ->
                parts
                    .orders(skuId)
                    .map(orders -> new Books(books.total(), books.deducted(), orders)));
  }
}
