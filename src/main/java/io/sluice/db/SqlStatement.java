package io.sluice.db;

import io.vertx.sqlclient.Tuple;
import java.util.List;

/**
 * All statements, one file each under {@code sql/}. All files are read when this class is
 * initialized, so that a missing one fails the start.
 */
public enum SqlStatement {
  CREATE_SCHEMA_VERSION("db/create_schema_version.sql"),
  GET_LOCK("db/get_lock.sql"),
  INSERT_SCHEMA_VERSION("db/insert_schema_version.sql"),
  KILL_ME("db/kill_me.sql"),
  LIMIT_READS_MYSQL("db/limit_reads_mysql.sql"),
  LIMIT_STATEMENTS_MARIADB("db/limit_statements_mariadb.sql"),
  LIST_SCHEMA_VERSIONS("db/list_schema_versions.sql"),
  RELEASE_LOCK("db/release_lock.sql"),
  SET_ISOLATION("db/set_isolation.sql"),
  SET_SESSION("db/set_session.sql"),
  ADVANCE_FENCE("ledger/advance_fence.sql"),
  ANSWER_REQUEST("ledger/answer_request.sql"),
  BAN_OVERRUNNERS("ledger/ban_overrunners.sql"),
  CHANGE_ALLOTMENT("ledger/change_allotment.sql"),
  CHANGE_FOUNDATION("ledger/change_foundation.sql"),
  COUNT_INSTANCES("ledger/count_instances.sql"),
  COUNT_TXNS("ledger/count_txns.sql"),
  DELETE_BANS("ledger/delete_bans.sql"),
  DELETE_INSTANCE("ledger/delete_instance.sql"),
  DELETE_OLD_INSTANCES("ledger/delete_old_instances.sql"),
  DELETE_OUTBOX("ledger/delete_outbox.sql"),
  DELETE_REQUESTS("ledger/delete_requests.sql"),
  END_RESTOCK_PART("ledger/end_restock_part.sql"),
  FIND_OPEN_REQUEST("ledger/find_open_request.sql"),
  FOUND_FENCES("ledger/found_fences.sql"),
  INSERT_BUCKETS("ledger/insert_buckets.sql"),
  INSERT_CORRECTION("ledger/insert_correction.sql"),
  INSERT_FOUNDATION("ledger/insert_foundation.sql"),
  INSERT_ORDERS("ledger/insert_orders.sql"),
  INSERT_OUTBOX("ledger/insert_outbox.sql"),
  INSERT_REQUEST("ledger/insert_request.sql"),
  INSERT_RESTOCK("ledger/insert_restock.sql"),
  INSERT_RESTOCK_PARTS("ledger/insert_restock_parts.sql"),
  INSERT_SKU("ledger/insert_sku.sql"),
  INSERT_STOCK_TXN("ledger/insert_stock_txn.sql"),
  KEEP_INSTANCE("ledger/keep_instance.sql"),
  KEEP_READING("ledger/keep_reading.sql"),
  KEEP_REPORT("ledger/keep_report.sql"),
  LIST_BANS("ledger/list_bans.sql"),
  LIST_BUCKETS("ledger/list_buckets.sql"),
  LIST_CORRECTIONS("ledger/list_corrections.sql"),
  LIST_DUE("ledger/list_due.sql"),
  LIST_FENCES("ledger/list_fences.sql"),
  LIST_FOUNDATION("ledger/list_foundation.sql"),
  LIST_LOAD_ROWS("ledger/list_load_rows.sql"),
  LIST_OVERDUE("ledger/list_overdue.sql"),
  LIST_PENDING("ledger/list_pending.sql"),
  LIST_PURGEABLE("ledger/list_purgeable.sql"),
  LIST_PURGEABLE_REQUESTS("ledger/list_purgeable_requests.sql"),
  LIST_REPORTS("ledger/list_reports.sql"),
  LIST_REQUESTS("ledger/list_requests.sql"),
  LIST_RESTOCK_PARTS("ledger/list_restock_parts.sql"),
  LIST_SKU_BUCKETS("ledger/list_sku_buckets.sql"),
  LIST_SKUS("ledger/list_skus.sql"),
  LOCK_BUCKETS("ledger/lock_buckets.sql"),
  LOCK_FENCE("ledger/lock_fence.sql"),
  LOCK_ORDERS("ledger/lock_orders.sql"),
  LOCK_OUTBOX_ROW("ledger/lock_outbox_row.sql"),
  LOCK_SKU("ledger/lock_sku.sql"),
  LOCK_SKU_BUCKETS("ledger/lock_sku_buckets.sql"),
  MARK_SENT("ledger/mark_sent.sql"),
  NOTE_FREEZE("ledger/note_freeze.sql"),
  PUT_BAN("ledger/put_ban.sql"),
  RAISE_EPOCH("ledger/raise_epoch.sql"),
  RAISE_TERM("ledger/raise_term.sql"),
  RAISE_VERSIONS("ledger/raise_versions.sql"),
  READ_ANSWER("ledger/read_answer.sql"),
  READ_AUDIT("ledger/read_audit.sql"),
  READ_BANS("ledger/read_bans.sql"),
  READ_BUCKET("ledger/read_bucket.sql"),
  READ_CLOCK("ledger/read_clock.sql"),
  READ_LAST_TXN("ledger/read_last_txn.sql"),
  READ_LONGEST_SETTINGS("ledger/read_longest_settings.sql"),
  READ_LONGEST_WINDOW("ledger/read_longest_window.sql"),
  READ_ORDERS("ledger/read_orders.sql"),
  READ_READING("ledger/read_reading.sql"),
  READ_RESTOCK("ledger/read_restock.sql"),
  READ_SKUS("ledger/read_skus.sql"),
  RESET_FENCE("ledger/reset_fence.sql"),
  SUM_TXNS("ledger/sum_txns.sql"),
  TOUCH_FENCE("ledger/touch_fence.sql"),
  UPDATE_COUNTERS("ledger/update_counters.sql"),
  UPDATE_ORDERS("ledger/update_orders.sql"),
  UPDATE_RESTOCK("ledger/update_restock.sql"),
  UPDATE_SKU("ledger/update_sku.sql");

  private final SqlTemplate template;

  SqlStatement(String path) {
    this.template = SqlTemplate.load(path);
  }

  /** Whether it has a repeated part. */
  boolean repeats() {
    return template.repeats();
  }

  /** The text with its repeated part for this many items; 0 for a statement without one. */
  String text(int items) {
    return template.text(items);
  }

  /** The text that inserts rows from index {@code from} on, values included; as many as fit. */
  SqlTemplate.Written written(List<Tuple> rows, int from) {
    return template.written(rows, from);
  }
}
