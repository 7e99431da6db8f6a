package io.sluice.bench.schemes;

import io.vertx.core.Future;

/** A database with a conditional UPDATE: requests queue on the row's lock. */
final class ConditionalUpdate implements Scheme {
  private final SchemeParts parts;

  ConditionalUpdate(SchemeParts parts) {
    this.parts = parts;
  }

  @Override
  public Future<Void> restock(long skuId, long units) {
    return SchemeTables.restock(parts, skuId, units);
  }

  @Override
  public Future<Verdict> order(long skuId, String user) {
    return parts.transaction(
        tx ->
            SchemeParts.sql(
                    tx,
                    "UPDATE scheme_stock SET sold = sold + 1 WHERE sku_id = ? AND sold < total",
                    skuId)
                .compose(
                    done ->
                        done.rowCount() == 0
                            ? Future.succeededFuture(Verdict.SOLD_OUT)
                            : SchemeParts.sql(
                                    tx, "INSERT INTO scheme_order VALUES (?, ?)", skuId, user)
                                .map(Verdict.GRANTED)));
  }

  @Override
  public Future<Books> books(long skuId) {
    return SchemeTables.books(parts, skuId);
  }
}
