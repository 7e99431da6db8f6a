package io.sluice.db;

import io.vertx.sqlclient.Tuple;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * All statements: the blocks of the files under {@code sql/}, one file a subject, which have the
 * same names. A constant without a block, and a block without a constant, fail the start.
 */
public enum SqlStatement {
  ADD_ARCHIVE_SUMS,
  ADD_MOVED_UNITS,
  ADVANCE_FENCES,
  ADVANCE_WEBHOOK,
  ANSWER_REQUESTS,
  ARCHIVE_HOLDS,
  ARCHIVE_MOVES,
  ARCHIVE_NOTES,
  ARCHIVE_REJECTS,
  ARCHIVE_REJECT_NOTES,
  ASK_ARCHIVE,
  ASK_FORGET,
  BAN_OVERRUNNERS,
  CHANGE_ALLOTMENT,
  CHANGE_FOUNDATION,
  CLOSE_SERVED,
  COUNT_ARCHIVED,
  COUNT_DELIVERIES,
  COUNT_INSTANCES,
  COUNT_OLDER_INSTANCES,
  COUNT_PENDING,
  FIND_RESTOCKING,
  COUNT_SKUS_AHEAD,
  COUNT_SKUS_OF_SALE,
  COUNT_TXNS,
  COUNT_UNENDED,
  CREATE_SCHEMA_VERSION,
  DELAY_DELIVERIES,
  DELETE_ARCHIVED_HOLDS,
  DELETE_ARCHIVED_MOVES,
  DELETE_ARCHIVED_NOTES,
  DELETE_ARCHIVED_REJECTS,
  DELETE_ARCHIVED_REJECT_NOTES,
  DELETE_BANS,
  DELETE_COUNTS_OF_SALE,
  DELETE_DELIVERIES,
  DELETE_DELIVERIES_OF,
  DELETE_DIRECT_EVENTS,
  DELETE_DIRECT_HOLDS,
  DELETE_FAILURES,
  DELETE_FORMER_PLACES,
  DELETE_INCIDENTS,
  DELETE_INSTANCE,
  DELETE_LOOKUPS,
  DELETE_LOWER_LEVELS,
  DELETE_MOVED_UNITS,
  DELETE_OLD_INSTANCES,
  DELETE_OUTBOX,
  DELETE_REQUESTS,
  DELETE_SALE,
  DELETE_SALE_COUNTS,
  DELETE_SKUS,
  DELETE_SKU_BUCKETS,
  DELETE_SKU_RESTOCKS,
  DELETE_SKU_RESTOCK_ROWS,
  DELETE_SKU_SALES,
  DELETE_WEBHOOK,
  END_BUCKET,
  END_FORGET_JOB,
  END_RESTOCK_PART,
  FIND_ARCHIVE_JOB,
  FIND_ARCHIVE_REJECT,
  FIND_EARLIER_SKUS,
  FIND_OPEN_REQUEST,
  FIND_ORDERS,
  FIND_PENDING_RESTOCK,
  FIND_SKU_GONE_ON,
  FIND_USED_SKU,
  FIND_USED_SKU_OF_SALE,
  FORGET_ARCHIVED_HOLDS,
  FORGET_ARCHIVED_MOVES,
  FORGET_ARCHIVED_NOTES,
  FORGET_ARCHIVED_REJECTS,
  FORGET_DELIVERIES,
  FORGET_HOLDS,
  FORGET_MOVES,
  FORGET_NOTES,
  FORGET_REJECTS,
  FORGET_RETURNS,
  FOUND_FENCES,
  GET_LOCK,
  INSERT_ARCHIVED_MOVES,
  INSERT_ARCHIVED_NOTES,
  INSERT_ARCHIVED_REJECTS,
  INSERT_BAN,
  INSERT_BUCKETS,
  INSERT_CORRECTION,
  INSERT_DELIVERIES,
  INSERT_DIRECT_EVENTS,
  INSERT_DIRECT_HOLDS,
  INSERT_EARLIER_SALES,
  INSERT_FOUNDATION,
  INSERT_HOLDS,
  INSERT_JOB,
  INSERT_LOOKUPS,
  INSERT_MOVES,
  INSERT_NOTES,
  INSERT_OUTBOX,
  INSERT_REJECTS,
  INSERT_REQUESTS,
  INSERT_RESTOCK,
  INSERT_RESTOCK_PARTS,
  INSERT_RESTOCK_ROWS,
  INSERT_SALE,
  INSERT_SCHEMA_VERSIONS,
  INSERT_SKUS,
  INSERT_WEBHOOK,
  KEEP_ARCHIVE_JOB,
  KEEP_DELETED_PLACES,
  KEEP_DELETED_SKUS,
  KEEP_FORGET_JOB,
  KEEP_FORMER_PLACES,
  KEEP_INCIDENTS,
  KEEP_INSTANCE,
  KEEP_READING,
  KEEP_REPORT,
  KEEP_SALE_COUNTS,
  KEEP_SKU_NAMES,
  KEEP_WATERMARKS,
  KILL,
  LEASE_WEBHOOK,
  LIMIT_READS_MYSQL,
  LIMIT_STATEMENTS_MARIADB,
  LIMIT_TABLE_LOCKS,
  LIST_ARCHIVE_HOLDS,
  LIST_BANS,
  LIST_BUCKETS,
  LIST_BUCKETS_OF_SAME_SALE,
  LIST_CORRECTIONS,
  LIST_DELIVERIES,
  LIST_DIRECT_EVENTS,
  LIST_DUE,
  LIST_DUE_DELIVERIES,
  LIST_EARLIER_OF_SALE,
  LIST_EARLIER_TO_ARCHIVE,
  LIST_FENCES,
  LIST_FORGET_ARCHIVED_HOLDS,
  LIST_FORGET_ARCHIVED_REJECTS,
  LIST_FORGET_HOLDS,
  LIST_FORGET_REJECTS,
  LIST_FOUNDATION,
  LIST_GLANCES,
  LIST_GONE_BUCKETS,
  LIST_INCIDENTS,
  LIST_JOBS,
  LIST_LOAD_REJECTS,
  LIST_LOAD_ROWS,
  LIST_MARKED_STOCKS,
  LIST_MOVED_UNITS,
  LIST_OVERDUE,
  LIST_PARKED_KEYS,
  LIST_PENDING,
  LIST_PENDING_OF_ALL,
  LIST_PURGEABLE,
  LIST_PURGEABLE_EVENTS,
  LIST_PURGEABLE_REQUESTS,
  LIST_SENT_EVENTS,
  LIST_REJOINED_SKUS,
  LIST_REPORTS,
  LIST_REQUESTS,
  LIST_RESTOCK_PARTS,
  LIST_RUNNING_INSTANCES,
  LIST_SALES,
  LIST_SALES_BEHIND,
  LIST_SALE_COUNTS,
  LIST_SCHEMA_VERSIONS,
  LIST_SKUS,
  LIST_SKUS_BEHIND,
  LIST_SKUS_OF_SALE,
  LIST_SKUS_TO_END,
  LIST_SKU_BUCKETS,
  LIST_SKU_HOLDS,
  LIST_WEBHOOKS,
  LOCK_BAN,
  LOCK_BUCKETS,
  LOCK_DUTY,
  LOCK_ENDED_BUCKETS,
  LOCK_FENCE,
  LOCK_FENCES,
  LOCK_FORGET_JOB,
  LOCK_FREE_JOB,
  LOCK_LOWER_LEVELS,
  LOCK_OUTBOX_ROW,
  LOCK_SALE,
  LOCK_SKU,
  LOCK_SKUS,
  LOCK_SKU_BUCKETS,
  LOCK_UNSERVED,
  LOCK_WEBHOOK,
  LOOK_UP_ORDERS,
  LOWER_SOLD,
  LOWER_TOTAL,
  MARK_SENT,
  NAME_SESSION,
  NOTE_EARLIER_ARCHIVED,
  NOTE_FREEZE,
  NOTE_TAKEN_OVER,
  PURGE_FORGET_JOBS,
  PUT_BAN,
  RAISE_EPOCH,
  RAISE_TERM,
  RAISE_VERSIONS,
  READ_ANSWER,
  READ_ARCHIVED,
  READ_ARCHIVED_NOTES,
  READ_ARCHIVED_REJECTS,
  READ_ARCHIVE_JOB,
  READ_AUDIT,
  READ_BANS,
  READ_BUCKET,
  READ_CLAIMS,
  READ_CLOCK,
  READ_DELETED_SKUS,
  READ_DIRECT_SKU,
  READ_EVENT_NUMBERS,
  READ_FORGET_JOB,
  READ_JOB,
  READ_LONGEST_SETTINGS,
  READ_LONGEST_WINDOW,
  READ_NOTES,
  READ_ORDERS,
  READ_READING,
  READ_REJECTS,
  READ_RESTOCK,
  READ_SALE,
  READ_SALE_IDS,
  READ_SKUS,
  READ_STORY,
  REJOIN_BUCKETS,
  REJOIN_SKUS,
  RELEASE_LOCK,
  RELEASE_WEBHOOKS,
  REPLAY_DELIVERIES,
  RESET_FENCE,
  SERVE_REQUEST,
  SET_ISOLATION,
  SET_SESSION,
  SHARE_SKU,
  STOP_JOB,
  STOP_WEBHOOK,
  SUM_ARCHIVE,
  SUM_ARCHIVE_PAGE,
  SUM_DIRECT_HOLDS,
  SUM_HOLDS,
  SUM_MOVES,
  SUM_RESTOCKS,
  SUM_SALE,
  SUM_SALE_HOLDS,
  SUM_SALE_MOVES,
  SUM_SKU_HOLDS,
  SUM_SKU_MOVES,
  TOUCH_FENCE,
  UPDATE_COUNTERS,
  UPDATE_DUTY,
  UPDATE_JOB,
  UPDATE_RESTOCK,
  UPDATE_SALE,
  UPDATE_SKUS,
  UPDATE_WEBHOOK;

  static {
    if (!Blocks.LEFT.isEmpty()) {
      throw new IllegalStateException("Expected a constant for each of " + Blocks.LEFT.keySet());
    }
  }

  private final SqlTemplate template = Blocks.take(name().toLowerCase(Locale.ROOT));

  /** The texts that no constant has taken yet; an enum's own fields are set after its constants. */
  static final class Blocks {
    static final List<String> FILES =
        List.of(
            "archive.sql",
            "audit.sql",
            "blacklist.sql",
            "bucket.sql",
            "delete.sql",
            "direct.sql",
            "earlier_sale.sql",
            "fence.sql",
            "forget.sql",
            "foundation.sql",
            "history.sql",
            "instance.sql",
            "job.sql",
            "lookup.sql",
            "order.sql",
            "outbox.sql",
            "report.sql",
            "request.sql",
            "restock.sql",
            "sale.sql",
            "session.sql",
            "sku.sql",
            "webhook.sql");

    private static final Map<String, String> LEFT = new HashMap<>();

    static {
      for (String file : FILES) {
        SqlTemplate.texts(file)
            .forEach(
                (name, text) -> {
                  if (LEFT.put(name, text) != null) {
                    throw new IllegalStateException("Expected one statement " + name);
                  }
                });
      }
    }

    static SqlTemplate take(String name) {
      String text = LEFT.remove(name);
      if (text == null) {
        throw new IllegalStateException("Expected a statement " + name + " in a file under sql/");
      }
      return SqlTemplate.parse(text);
    }
  }

  /** Whether it has a repeated part. */
  boolean repeats() {
    return template.repeats();
  }

  /** The text with its repeated part for this many items; 0 for a statement without one. */
  String text(int items) {
    return template.text(items);
  }

  /** The text of a statement with one parameter, with its value in it. */
  String written(String value) {
    return template.written(value);
  }

  /** The text that inserts rows from index {@code from} on, values included; as many as fit. */
  SqlTemplate.Written written(List<Tuple> rows, int from) {
    return template.written(rows, from);
  }
}
