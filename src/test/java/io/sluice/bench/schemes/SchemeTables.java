package io.sluice.bench.schemes;

import io.sluice.bench.schemes.Scheme.Books;
import io.vertx.core.Future;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;

/** The two tables of the schemes that keep stock or orders in the database. */
final class SchemeTables {
  private static final String STOCK =
      """
      CREATE TABLE IF NOT EXISTS scheme_stock (
        sku_id BIGINT PRIMARY KEY, total BIGINT NOT NULL, sold BIGINT NOT NULL,
        version BIGINT NOT NULL)""";
  private static final String ORDERS =
      """
      CREATE TABLE IF NOT EXISTS scheme_order (
        sku_id BIGINT NOT NULL, user_id VARCHAR(64) NOT NULL, PRIMARY KEY (sku_id, user_id))""";

  private SchemeTables() {}

  static Future<Void> create(Pool pool) {
    return pool.query(STOCK).execute().compose(v -> pool.query(ORDERS).execute()).mapEmpty();
  }

  static Future<Void> restock(SchemeParts parts, long skuId, long units) {
    return parts
        .sql(
            "INSERT INTO scheme_stock VALUES (?, ?, 0, 0)"
                + " ON DUPLICATE KEY UPDATE total = total + VALUES(total), version = version + 1",
            skuId,
            units)
        .mapEmpty();
  }

  static Future<Books> books(SchemeParts parts, long skuId) {
    return parts
        .sql("SELECT total, sold FROM scheme_stock WHERE sku_id = ?", skuId)
        .compose(
            rows -> {
              Row row = rows.iterator().next();
              return parts
                  .orders(skuId)
                  .map(orders -> new Books(row.getLong(0), row.getLong(1), orders));
            });
  }
}
