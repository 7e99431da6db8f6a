package io.sluice.db;

import io.sluice.ledger.History;
import io.sluice.testkit.mysql.LedgerFill;
import java.util.ArrayList;
import java.util.List;

/** The statements about sales, about units that move between buckets, and about webhooks. */
final class AskedOfSales {
  private static final String SALE = LedgerFill.SALE;
  private static final long SKU_ID = 5_000;

  static final List<Asked> ALL =
      List.of(
          Asked.one(SqlStatement.ADVANCE_WEBHOOK, 4, "1", "hook-1", "", "0"),
          // All of the target are read, here and by a replay.
          Asked.one(SqlStatement.COUNT_DELIVERIES, 510, "hook-1"),
          Asked.list(SqlStatement.DELETE_DELIVERIES, List.of(), List.of(1L, 2L)),
          Asked.one(SqlStatement.DELETE_DELIVERIES_OF, 320, "hook-1", 100),
          Asked.one(SqlStatement.DELETE_FAILURES, 80, "hook-1", 3_000L, 20),
          Asked.one(SqlStatement.DELETE_WEBHOOK, 4, "hook-1"),
          Asked.list(SqlStatement.FORGET_DELIVERIES, List.of(), List.of("o-1")).most(100),
          Asked.one(SqlStatement.LEASE_WEBHOOK, 4, "i1", 1L, "hook-1", "i1"),
          Asked.one(SqlStatement.LIST_DELIVERIES, 60, "hook-1", 0L, 50),
          // Each that is due is looked at, and whether another one is before it.
          Asked.one(SqlStatement.LIST_DUE_DELIVERIES, 1_000, "hook-1", 50),
          Asked.list(SqlStatement.LIST_PARKED_KEYS, List.of(), List.of("o-1", "o-2"), "hook-1"),
          Asked.one(SqlStatement.LOCK_WEBHOOK, 4, "hook-1"),
          Asked.one(SqlStatement.REPLAY_DELIVERIES, 510, "hook-1", 100),
          Asked.one(SqlStatement.STOP_WEBHOOK, 4, "", "hook-1", ""),
          Asked.one(SqlStatement.UPDATE_WEBHOOK, 4, "", "", "", 0L, "*", "THIN", "hook-1"),
          Asked.one(SqlStatement.READ_SALE, 4, SALE),
          Asked.one(SqlStatement.LOCK_SALE, 4, SALE),
          Asked.one(SqlStatement.LIST_SALES, 60, "", 50),
          Asked.one(SqlStatement.LIST_SALES_BEHIND, 40, "", 20),
          Asked.one(SqlStatement.NOTE_TAKEN_OVER, 4, SALE),
          Asked.one(SqlStatement.UPDATE_SALE, 4, "n", 0, 0, 60, 0, "OPEN", 0, 2, 2, 1, SALE),
          Asked.one(SqlStatement.COUNT_SKUS_OF_SALE, 120, SALE, SALE),
          Asked.one(SqlStatement.LIST_SKUS_OF_SALE, 180, SALE, 0L, 50),
          Asked.one(SqlStatement.LIST_SKUS_BEHIND, 60, SALE, 2L, 50),
          Asked.one(SqlStatement.LIST_SKUS_TO_END, 120, SALE, 50),
          Asked.one(SqlStatement.COUNT_SKUS_AHEAD, 120, SALE, SALE),
          Asked.one(SqlStatement.LIST_MARKED_STOCKS, 4_000, LedgerScaleIT.partition(), 0L, 500),
          Asked.one(
              SqlStatement.LIST_BUCKETS_OF_SAME_SALE,
              1_000,
              SKU_ID,
              LedgerScaleIT.partition(),
              0L,
              0L,
              -1,
              200),
          Asked.one(SqlStatement.FIND_RESTOCKING, 20, SKU_ID),
          Asked.one(SqlStatement.LOCK_ENDED_BUCKETS, 20, SKU_ID).items(1),
          Asked.one(SqlStatement.LIST_REJOINED_SKUS, 20, SKU_ID).items(1),
          Asked.one(SqlStatement.SERVE_REQUEST, 4, 1L),
          Asked.one(SqlStatement.CLOSE_SERVED, 4, "{}", 1L),
          Asked.list(SqlStatement.LOCK_UNSERVED, List.of(5_000L), List.of("open-1", "open-2")),
          Asked.one(SqlStatement.LOWER_TOTAL, 4, 0, SKU_ID),
          Asked.one(SqlStatement.REJOIN_BUCKETS, 12, "[[%d,0,0,1,0,1,2,2,0]]".formatted(SKU_ID)),
          Asked.one(SqlStatement.DELETE_FORMER_PLACES, 12, "[[0,%d,0]]".formatted(SKU_ID)),
          Asked.one(SqlStatement.DELETE_SALE, 4, SALE),
          // Of another one: the whole table is of this sale, and would be read without an index.
          Asked.one(SqlStatement.DELETE_COUNTS_OF_SALE, 4, "another"),
          Asked.one(SqlStatement.DELETE_SKU_BUCKETS, 40, SKU_ID).items(1),
          Asked.one(SqlStatement.DELETE_SKU_RESTOCK_ROWS, 40, SKU_ID + 1).items(1),
          // All of the SKU are deleted.
          Asked.one(SqlStatement.DELETE_SKU_RESTOCKS, 3_010, SKU_ID).items(1).mostOnMysql(4_010),
          Asked.one(SqlStatement.DELETE_SKU_SALES, 8, SKU_ID + 30).items(1),
          Asked.one(SqlStatement.DELETE_SKUS, 16, SKU_ID).items(1),
          Asked.one(SqlStatement.FIND_SKU_GONE_ON, 8, SALE),
          Asked.one(SqlStatement.FIND_USED_SKU, 12, SKU_ID).items(1),
          // Each SKU of the sale is looked for in four tables.
          Asked.one(SqlStatement.FIND_USED_SKU_OF_SALE, 5_010, SALE),
          Asked.one(SqlStatement.KEEP_DELETED_PLACES, 40, SKU_ID).items(1),
          Asked.one(SqlStatement.KEEP_DELETED_SKUS, 60, SKU_ID).items(1),
          Asked.one(SqlStatement.READ_DELETED_SKUS, 4, SKU_ID).items(1),
          Asked.one(SqlStatement.SUM_SALE, 500, SALE, SALE),
          Asked.one(SqlStatement.LIST_EARLIER_OF_SALE, 180, SALE, 0L, 50),
          Asked.one(SqlStatement.READ_SALE_IDS, 20, SKU_ID + 30, SKU_ID + 30).items(1),
          Asked.one(SqlStatement.FIND_EARLIER_SKUS, 8, SALE, SKU_ID + 30).items(1),
          Asked.one(SqlStatement.LIST_EARLIER_TO_ARCHIVE, 120, SALE, 50),
          Asked.one(SqlStatement.NOTE_EARLIER_ARCHIVED, 8, SKU_ID + 30, 1L),
          Asked.one(SqlStatement.LOWER_SOLD, 4, 0, SKU_ID + 30, 1L),
          // Each row of each table counts up to three times: into union and slice, and out of it.
          Asked.one(SqlStatement.SUM_SALE_HOLDS, 8_060, holds(SKU_ID)).items(1),
          Asked.one(SqlStatement.SUM_SKU_HOLDS, 8_060, holds(SKU_ID, 0, 0, 1, 1, 100)),
          Asked.one(SqlStatement.SUM_SALE_MOVES, 10_060, moves(SKU_ID)).items(1),
          Asked.one(SqlStatement.SUM_SKU_MOVES, 10_060, moves(SKU_ID, 0, 0, 1, 1, 9, 9, 1)),
          Asked.one(SqlStatement.LIST_SALE_COUNTS, 60, SALE, 100L, 100L, "", 50),
          Asked.one(SqlStatement.LIST_INCIDENTS, 60, 100L, 200L, 50),
          Asked.one(SqlStatement.DELETE_SALE_COUNTS, 60, 100L, 20),
          Asked.one(SqlStatement.DELETE_INCIDENTS, 60, 100L, 20),
          Asked.list(SqlStatement.LOCK_SKUS, List.of(), List.of(SKU_ID)).most(20),
          Asked.list(SqlStatement.READ_DIRECT_SKU, List.of(SKU_ID, SKU_ID, SKU_ID), List.of(0))
              .most(20),
          Asked.one(SqlStatement.SUM_DIRECT_HOLDS, 60, SKU_ID, 0, "user-7").items(1),
          Asked.one(SqlStatement.DELETE_DIRECT_HOLDS, 260, SKU_ID, 1, 100),
          Asked.one(SqlStatement.LOCK_DUTY, 4, "EVENTS"),
          Asked.one(SqlStatement.UPDATE_DUTY, 4, 1L, "MARKS"),
          Asked.one(SqlStatement.LIST_DIRECT_EVENTS, 110, 500L, 100),
          Asked.one(SqlStatement.READ_EVENT_NUMBERS, 4, "EVENTS").mostOnMysql(5),
          Asked.one(SqlStatement.LIST_PURGEABLE_EVENTS, 210, 100, 5L),
          Asked.one(SqlStatement.DELETE_DIRECT_EVENTS, 210, 100L));

  private AskedOfSales() {}

  private static Object[] holds(Object... where) {
    return twice(new ArrayList<>(List.of(10_000L)), where);
  }

  private static Object[] moves(Object... where) {
    List<Object> parameters = new ArrayList<>(List.of(10_000L));
    parameters.addAll(History.WAITS_MS);
    return twice(parameters, where);
  }

  /** The same of the orders and of the archive. */
  private static Object[] twice(List<Object> parameters, Object... where) {
    for (int table = 0; table < 2; table++) {
      parameters.addAll(List.of(where));
      parameters.add(1_000);
    }
    parameters.add(1_000);
    return parameters.toArray();
  }
}
