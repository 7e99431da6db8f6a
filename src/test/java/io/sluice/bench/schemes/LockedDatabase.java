package io.sluice.bench.schemes;

import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.sqlclient.Row;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * A distributed lock and a database: the holder of the SKU's lock in Redis reads the stock, writes
 * it and the order, and releases the lock. A request that does not get the lock in time is refused.
 */
final class LockedDatabase implements Scheme {
  private static final int LOCK_MS = 5_000;
  private static final int WAIT_MS = 10;
  private static final int TRIES_MAX = 100;
  private static final String UNLOCK =
      "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

  private final SchemeParts parts;

  LockedDatabase(SchemeParts parts) {
    this.parts = parts;
  }

  @Override
  public Future<Void> restock(long skuId, long units) {
    return SchemeTables.restock(parts, skuId, units);
  }

  @Override
  public Future<Verdict> order(long skuId, String user) {
    return order(skuId, user, UUID.randomUUID().toString(), TRIES_MAX);
  }

  private Future<Verdict> order(long skuId, String user, String owner, int triesLeft) {
    return parts
        .redis(Command.SET, lock(skuId), owner, "NX", "PX", LOCK_MS)
        .compose(
            locked -> {
              if (locked != null) {
                return locked(skuId, user)
                    .eventually(() -> parts.redis(Command.EVAL, UNLOCK, 1, lock(skuId), owner));
              }
              return triesLeft == 0
                  ? Future.succeededFuture(Verdict.CONFLICT)
                  : parts
                      .vertx()
                      .timer(WAIT_MS, TimeUnit.MILLISECONDS)
                      .compose(waited -> order(skuId, user, owner, triesLeft - 1));
            });
  }

  private Future<Verdict> locked(long skuId, String user) {
    return parts.transaction(
        tx ->
            SchemeParts.sql(tx, "SELECT total, sold FROM scheme_stock WHERE sku_id = ?", skuId)
                .compose(
                    rows -> {
                      Row row = rows.iterator().next();
                      long sold = row.getLong(1);
                      return sold >= row.getLong(0)
                          ? Future.succeededFuture(Verdict.SOLD_OUT)
                          : SchemeParts.sql(
                                  tx,
                                  "UPDATE scheme_stock SET sold = ? WHERE sku_id = ?",
                                  sold + 1,
                                  skuId)
                              .compose(
                                  v ->
                                      SchemeParts.sql(
                                          tx,
                                          "INSERT INTO scheme_order VALUES (?, ?)",
                                          skuId,
                                          user))
                              .map(Verdict.GRANTED);
                    }));
  }

  @Override
  public Future<Books> books(long skuId) {
    return SchemeTables.books(parts, skuId);
  }

  private static String lock(long skuId) {
    return "lock:" + skuId;
  }
}
