package io.sluice.db;

import io.sluice.ledger.SaleHistory;
import io.sluice.testkit.mysql.LedgerFill;
import java.util.ArrayList;
import java.util.List;

/** The statements about sales. */
final class AskedOfSales {
  private static final String SALE = LedgerFill.SALE;
  private static final long SKU_ID = 5_000;

  static final List<Asked> ALL =
      List.of(
          Asked.one(SqlStatement.READ_SALE, 4, SALE),
          Asked.one(SqlStatement.LOCK_SALE, 4, SALE),
          Asked.one(SqlStatement.LIST_SALES, 60, "", 50),
          Asked.one(SqlStatement.LIST_SALES_BEHIND, 40, 20),
          Asked.one(SqlStatement.NOTE_TAKEN_OVER, 4, SALE),
          Asked.one(SqlStatement.UPDATE_SALE, 4, "n", 0, 0, 60, 0, "OPEN", 0, 2, 2, 1, SALE),
          Asked.one(SqlStatement.COUNT_SKUS_OF_SALE, 60, SALE),
          Asked.one(SqlStatement.LIST_SKUS_OF_SALE, 180, SALE, 0L, 50),
          Asked.one(SqlStatement.LIST_SKUS_BEHIND, 60, SALE, 2L, 50),
          Asked.one(SqlStatement.SUM_SALE, 400, SALE),
          Asked.list(SqlStatement.SUM_SALE_HOLDS, List.of(10_000L), List.of(SKU_ID), 1_000)
              .most(3_030),
          Asked.one(SqlStatement.SUM_SKU_HOLDS, 3_030, 10_000L, SKU_ID, 0, 0, 1, 1, 100, 1_000),
          Asked.list(SqlStatement.SUM_SALE_MOVES, waits(), List.of(SKU_ID), 1_000).most(5_030),
          Asked.one(SqlStatement.SUM_SKU_MOVES, 5_030, movesOfSku()),
          Asked.one(SqlStatement.LIST_SALE_COUNTS, 60, SALE, 100L, 100L, "", 50),
          Asked.one(SqlStatement.LIST_INCIDENTS, 60, 100L, 200L, 50),
          Asked.one(SqlStatement.DELETE_SALE_COUNTS, 60, 100L, 20),
          Asked.one(SqlStatement.DELETE_INCIDENTS, 60, 100L, 20),
          Asked.list(SqlStatement.LOCK_SKUS, List.of(), List.of(SKU_ID)).most(20));

  private AskedOfSales() {}

  private static List<Object> waits() {
    List<Object> parameters = new ArrayList<>(List.of(10_000L));
    parameters.addAll(SaleHistory.WAITS_MS);
    return parameters;
  }

  private static Object[] movesOfSku() {
    List<Object> parameters = waits();
    parameters.addAll(List.of(SKU_ID, 0, 0, 1, 1, 9, 9, 1, 1_000));
    return parameters.toArray();
  }
}
