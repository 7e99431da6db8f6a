package io.sluice.db;

import io.sluice.testkit.mysql.LedgerFill;
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
          Asked.one(SqlStatement.LIST_MARKED_STOCKS, 4_000, LedgerScaleIT.partition(), 0L, 500),
          Asked.list(SqlStatement.KEEP_WATERMARKS, List.of(), List.of(SKU_ID, 1, 1L)).most(20),
          Asked.one(SqlStatement.SUM_SALE, 400, SALE),
          Asked.list(SqlStatement.LOCK_SKUS, List.of(), List.of(SKU_ID)).most(20));

  private AskedOfSales() {}
}
