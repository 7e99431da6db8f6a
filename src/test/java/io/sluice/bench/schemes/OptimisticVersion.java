package io.sluice.bench.schemes;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;

/**
 * A database with an optimistic version: read, then write if the version is unchanged, up to three
 * times.
 */
final class OptimisticVersion implements Scheme {
  private static final int TRIES = 3;

  private final SchemeParts parts;

  OptimisticVersion(SchemeParts parts) {
    this.parts = parts;
  }

  @Override
  public Future<Void> restock(long skuId, long units) {
    return SchemeTables.restock(parts, skuId, units);
  }

  @Override
  public Future<Verdict> order(long skuId, String user) {
    return order(skuId, user, TRIES);
  }

  private Future<Verdict> order(long skuId, String user, int triesLeft) {
    if (triesLeft == 0) {
      return Future.succeededFuture(Verdict.CONFLICT);
    }
    return parts
        .sql("SELECT total, sold, version FROM scheme_stock WHERE sku_id = ?", skuId)
        .compose(
            rows -> {
              Row row = rows.iterator().next();
              if (row.getLong(1) >= row.getLong(0)) {
                return Future.succeededFuture(Verdict.SOLD_OUT);
              }
              return take(skuId, user, row.getLong(2))
                  .compose(
                      won ->
                          won
                              ? Future.succeededFuture(Verdict.GRANTED)
                              : order(skuId, user, triesLeft - 1));
            });
  }

  private Future<Boolean> take(long skuId, String user, long version) {
    return parts.transaction(
        tx ->
            SchemeParts.sql(
                    tx,
                    "UPDATE scheme_stock SET sold = sold + 1, version = version + 1"
                        + " WHERE sku_id = ? AND version = ?",
                    skuId,
                    version)
                .compose(
                    done ->
                        done.rowCount() == 0
                            ? Future.succeededFuture(false)
                            : SchemeParts.sql(
                                    tx, "INSERT INTO scheme_order VALUES (?, ?)", skuId, user)
                                .map(true)));
  }

  @Override
  public Future<Books> books(long skuId) {
    return SchemeTables.books(parts, skuId);
  }
}
