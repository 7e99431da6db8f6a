package io.sluice.ledger.mysql;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.rules.BatchSnapshot.SaleKey;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The ids of the sales that orders are of, for their events. The sale of an order never changes, so
 * bookings ask for each sale of a SKU once in a while. Thread-safe.
 */
final class SaleIds {
  private static final int SALES_MAX = 20_000;

  /** A ledger that was restored to an earlier state may give a number to another sale. */
  private static final Duration KEPT = Duration.ofMinutes(10);

  private final Cache<SaleKey, String> known =
      Caffeine.newBuilder()
          .maximumSize(SALES_MAX)
          .expireAfterWrite(KEPT)
          .executor(Runnable::run)
          .build();

  /** The ids of these sales; those that are not in the ledger are left out. */
  Future<Map<SaleKey, String>> of(SqlSession session, Set<SaleKey> sales) {
    Map<SaleKey, String> found = new HashMap<>(known.getAllPresent(sales));
    Set<Long> unknown = new TreeSet<>();
    sales.stream()
        .filter(sale -> !found.containsKey(sale))
        .forEach(sale -> unknown.add(sale.skuId()));
    return session
        .selectEach(
            SqlStatement.READ_SALE_IDS,
            List.copyOf(unknown),
            SaleIds::twice,
            row -> found.put(new SaleKey(row.getLong(0), row.getLong(1)), row.getString(2)))
        .map(
            read -> {
              known.putAll(found);
              return found;
            });
  }

  private static Tuple twice(List<Long> skuIds) {
    return Tuple.wrap(Stream.concat(skuIds.stream(), skuIds.stream()).toList());
  }
}
