package io.sluice.explore.store;

import io.sluice.ledger.BucketRow;
import io.sluice.ledger.BucketRow.LoadRow;
import io.sluice.ledger.Ledger;
import io.sluice.model.BucketId;
import io.sluice.stock.BucketCode;
import io.sluice.stock.Recorded;
import io.sluice.stock.StockStore;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Stores that read and write pages of one order, so that a few orders take as many pages as
 * thousands do otherwise.
 */
public final class SmallPages {
  private SmallPages() {}

  public static StockStore of(StockStore stock) {
    return Intercept.of(
        StockStore.class,
        stock,
        "loadPage",
        call ->
            loadPage(
                stock, call.argument(0), call.argument(1), call.argument(2), call.argument(3)));
  }

  private static Future<BucketCode> loadPage(
      StockStore stock, BucketId id, long term, String runId, List<Recorded> page) {
    Future<BucketCode> all = Future.succeededFuture(BucketCode.OK);
    for (Recorded one : page) {
      all =
          all.compose(
              code ->
                  code == BucketCode.OK
                      ? stock.loadPage(id, term, runId, List.of(one))
                      : Future.succeededFuture(code));
    }
    return all;
  }

  public static Ledger of(Ledger ledger) {
    return Intercept.of(
        Ledger.class,
        ledger,
        "loadRows",
        call ->
            loadRows(
                ledger, call.argument(0), call.argument(1), call.argument(2), new ArrayList<>()));
  }

  private static Future<List<LoadRow>> loadRows(
      Ledger ledger, BucketRow bucket, Optional<LoadRow> after, int limit, List<LoadRow> before) {
    return ledger
        .loadRows(bucket, after, 1)
        .compose(
            rows -> {
              before.addAll(rows);
              return rows.isEmpty() || before.size() == limit
                  ? Future.succeededFuture(List.copyOf(before))
                  : loadRows(ledger, bucket, Optional.of(rows.get(0)), limit, before);
            });
  }
}
