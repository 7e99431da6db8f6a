package io.sluice.db;

import io.vertx.sqlclient.Tuple;
import java.util.List;

/**
 * All statements, one file each under {@code sql/}. All files are read when this class is
 * initialized, so that a missing one fails the start.
 */
public enum SqlStatement {
  COUNT_FORMAT_1("ledger/count_format_1.sql"),
  CREATE_SCHEMA_VERSION("db/create_schema_version.sql"),
  FIND_TWIN_PLACES("ledger/find_twin_places.sql"),
  GET_LOCK("db/get_lock.sql"),
  INSERT_SCHEMA_VERSION("db/insert_schema_version.sql"),
  KILL_ME("db/kill_me.sql"),
  LIMIT_READS_MYSQL("db/limit_reads_mysql.sql"),
  LIMIT_STATEMENTS_MARIADB("db/limit_statements_mariadb.sql"),
  LIST_LOST_PARTITIONS("ledger/list_lost_partitions.sql"),
  LIST_OLD_BUCKETS("ledger/list_old_buckets.sql"),
  LIST_RUNNING_INSTANCES("ledger/list_running_instances.sql"),
  LIST_SCHEMA_VERSIONS("db/list_schema_versions.sql"),
  RELEASE_LOCK("db/release_lock.sql"),
  SET_ISOLATION("db/set_isolation.sql"),
  SET_SESSION("db/set_session.sql"),
  ADVANCE_FENCE("ledger/advance_fence.sql"),
  ANSWER_REQUEST("ledger/answer_request.sql"),
  BAN_OVERRUNNERS("ledger/ban_overrunners.sql"),
  CHANGE_ALLOTMENT("ledger/change_allotment.sql"),
  CHANGE_FOUNDATION("ledger/change_foundation.sql"),
  COPY_OLD_ENDS("ledger/copy_old_ends.sql"),
  COPY_OLD_HOLDS("ledger/copy_old_holds.sql"),
  COPY_OLD_REJECTS("ledger/copy_old_rejects.sql"),
  COPY_OLD_RESTOCKS("ledger/copy_old_restocks.sql"),
  COPY_OLD_SEQUELS("ledger/copy_old_sequels.sql"),
  COUNT_INSTANCES("ledger/count_instances.sql"),
  COUNT_OLDER_INSTANCES("ledger/count_older_instances.sql"),
  COUNT_OLD_REJECTS("ledger/count_old_rejects.sql"),
  COUNT_OLD_ROWS("ledger/count_old_rows.sql"),
  COUNT_PENDING("ledger/count_pending.sql"),
  COUNT_RESTOCKING("ledger/count_restocking.sql"),
  COUNT_SKUS_OF_SALE("ledger/count_skus_of_sale.sql"),
  COUNT_TXNS("ledger/count_txns.sql"),
  COUNT_UNENDED("ledger/count_unended.sql"),
  DELETE_BANS("ledger/delete_bans.sql"),
  DELETE_INSTANCE("ledger/delete_instance.sql"),
  DELETE_LOWER_LEVELS("ledger/delete_lower_levels.sql"),
  DELETE_OLD_INSTANCES("ledger/delete_old_instances.sql"),
  DELETE_OLD_ORDERS("ledger/delete_old_orders.sql"),
  DELETE_OLD_RESTOCKS("ledger/delete_old_restocks.sql"),
  DELETE_OLD_TXNS("ledger/delete_old_txns.sql"),
  DELETE_OUTBOX("ledger/delete_outbox.sql"),
  DELETE_REQUESTS("ledger/delete_requests.sql"),
  DROP_OLD_ORDERS("ledger/drop_old_orders.sql"),
  DROP_OLD_TXNS("ledger/drop_old_txns.sql"),
  END_BUCKET("ledger/end_bucket.sql"),
  END_RESTOCK_PART("ledger/end_restock_part.sql"),
  FIND_OLD_ORDERS("ledger/find_old_orders.sql"),
  FIND_OLD_RESTOCKS("ledger/find_old_restocks.sql"),
  FIND_OPEN_REQUEST("ledger/find_open_request.sql"),
  FOUND_FENCES("ledger/found_fences.sql"),
  INSERT_BUCKETS("ledger/insert_buckets.sql"),
  INSERT_CORRECTION("ledger/insert_correction.sql"),
  INSERT_FOUNDATION("ledger/insert_foundation.sql"),
  INSERT_HOLDS("ledger/insert_holds.sql"),
  INSERT_MOVES("ledger/insert_moves.sql"),
  INSERT_NOTES("ledger/insert_notes.sql"),
  INSERT_OUTBOX("ledger/insert_outbox.sql"),
  INSERT_REJECTS("ledger/insert_rejects.sql"),
  INSERT_REQUESTS("ledger/insert_requests.sql"),
  INSERT_RESTOCK("ledger/insert_restock.sql"),
  INSERT_RESTOCK_PARTS("ledger/insert_restock_parts.sql"),
  INSERT_RESTOCK_ROWS("ledger/insert_restock_rows.sql"),
  INSERT_SALE("ledger/insert_sale.sql"),
  INSERT_SKUS("ledger/insert_skus.sql"),
  KEEP_INSTANCE("ledger/keep_instance.sql"),
  KEEP_READING("ledger/keep_reading.sql"),
  KEEP_REPORT("ledger/keep_report.sql"),
  LIST_BANS("ledger/list_bans.sql"),
  LIST_BUCKETS("ledger/list_buckets.sql"),
  LIST_CORRECTIONS("ledger/list_corrections.sql"),
  LIST_DUE("ledger/list_due.sql"),
  LIST_ENDED_BUCKETS("ledger/list_ended_buckets.sql"),
  LIST_FENCES("ledger/list_fences.sql"),
  LIST_FOUNDATION("ledger/list_foundation.sql"),
  LIST_GLANCES("ledger/list_glances.sql"),
  LIST_LOAD_REJECTS("ledger/list_load_rejects.sql"),
  LIST_LOAD_ROWS("ledger/list_load_rows.sql"),
  LIST_OLD_TABLES("ledger/list_old_tables.sql"),
  LIST_OVERDUE("ledger/list_overdue.sql"),
  LIST_PENDING("ledger/list_pending.sql"),
  LIST_PURGEABLE("ledger/list_purgeable.sql"),
  LIST_PURGEABLE_REQUESTS("ledger/list_purgeable_requests.sql"),
  LIST_REPORTS("ledger/list_reports.sql"),
  LIST_REQUESTS("ledger/list_requests.sql"),
  LIST_RESTOCK_PARTS("ledger/list_restock_parts.sql"),
  LIST_SALES("ledger/list_sales.sql"),
  LIST_SALES_BEHIND("ledger/list_sales_behind.sql"),
  LIST_SKU_HOLDS("ledger/list_sku_holds.sql"),
  LIST_SKUS("ledger/list_skus.sql"),
  LIST_SKUS_BEHIND("ledger/list_skus_behind.sql"),
  LIST_SKUS_OF_SALE("ledger/list_skus_of_sale.sql"),
  LIST_SKU_BUCKETS("ledger/list_sku_buckets.sql"),
  LOCK_BUCKETS("ledger/lock_buckets.sql"),
  LOCK_FENCE("ledger/lock_fence.sql"),
  LOCK_LOWER_LEVELS("ledger/lock_lower_levels.sql"),
  LOCK_OUTBOX_ROW("ledger/lock_outbox_row.sql"),
  LOCK_SALE("ledger/lock_sale.sql"),
  LOCK_SKU("ledger/lock_sku.sql"),
  LOCK_SKUS("ledger/lock_skus.sql"),
  LOCK_SKU_BUCKETS("ledger/lock_sku_buckets.sql"),
  LOOK_UP_ORDERS("ledger/look_up_orders.sql"),
  MARK_SENT("ledger/mark_sent.sql"),
  NOTE_FREEZE("ledger/note_freeze.sql"),
  NOTE_TAKEN_OVER("ledger/note_taken_over.sql"),
  PUT_BAN("ledger/put_ban.sql"),
  RAISE_EPOCH("ledger/raise_epoch.sql"),
  RAISE_TERM("ledger/raise_term.sql"),
  RAISE_VERSIONS("ledger/raise_versions.sql"),
  READ_ANSWER("ledger/read_answer.sql"),
  READ_AUDIT("ledger/read_audit.sql"),
  READ_BANS("ledger/read_bans.sql"),
  READ_BUCKET("ledger/read_bucket.sql"),
  READ_CLAIMS("ledger/read_claims.sql"),
  READ_CLOCK("ledger/read_clock.sql"),
  READ_LONGEST_SETTINGS("ledger/read_longest_settings.sql"),
  READ_LONGEST_WINDOW("ledger/read_longest_window.sql"),
  READ_NOTES("ledger/read_notes.sql"),
  READ_ORDERS("ledger/read_orders.sql"),
  READ_READING("ledger/read_reading.sql"),
  READ_REJECTS("ledger/read_rejects.sql"),
  READ_RESTOCK("ledger/read_restock.sql"),
  READ_SALE("ledger/read_sale.sql"),
  READ_SKUS("ledger/read_skus.sql"),
  READ_STORY("ledger/read_story.sql"),
  RESET_FENCE("ledger/reset_fence.sql"),
  SUM_HOLDS("ledger/sum_holds.sql"),
  SUM_MOVES("ledger/sum_moves.sql"),
  SUM_RESTOCKS("ledger/sum_restocks.sql"),
  SUM_SALE("ledger/sum_sale.sql"),
  TOUCH_FENCE("ledger/touch_fence.sql"),
  UPDATE_COUNTERS("ledger/update_counters.sql"),
  UPDATE_RESTOCK("ledger/update_restock.sql"),
  UPDATE_SALE("ledger/update_sale.sql"),
  UPDATE_SKU("ledger/update_sku.sql"),
  UPDATE_SKUS("ledger/update_skus.sql");

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
