package io.sluice.db;

import io.vertx.sqlclient.DatabaseException;
import java.util.Set;

/** The classes of database failures, by what the caller should do. */
public enum SqlFault {
  /** A conflict with another transaction (deadlock, lock wait): a retry may succeed. */
  CONTENTION,
  /** A row with this key was inserted concurrently: a retry reads it. */
  DUPLICATE,
  /** The data itself is refused: too long, out of range, a violated constraint. */
  DATA,
  /**
   * The server refuses writes, although it was the primary. Another server may be the primary now;
   * only new connections reach it.
   */
  READ_ONLY,
  /** Connection, time-out, full disk and everything unknown: the outcome is unknown. */
  UNAVAILABLE;

  // Lock wait, deadlock, "record has changed since last read" (MariaDB 11.6 and later).
  private static final Set<Integer> CONTENTION_CODES = Set.of(1205, 1213, 1020);
  // Read-only by an option (read_only, super_read_only), by its mode, or in a read-only
  // transaction; or a member that its replication group has expelled.
  private static final Set<Integer> READ_ONLY_CODES = Set.of(1290, 1836, 1792, 3100);
  private static final int DUPLICATE_KEY = 1062;
  private static final int NO_SUCH_THREAD = 1094;

  // Codes that do not have SQLSTATE class 22 (data exception) or 23 (constraint) on every server:
  // out of range, too long, incorrect value, truncated, null, no default, CHECK on MySQL and
  // MariaDB.
  private static final Set<Integer> DATA_CODES =
      Set.of(1264, 1406, 1366, 1292, 1265, 1367, 1411, 1048, 1364, 1690, 3819, 4025);

  static SqlFault of(Throwable failure) {
    if (!(failure instanceof DatabaseException answer)) {
      return UNAVAILABLE;
    }
    if (CONTENTION_CODES.contains(answer.getErrorCode())) {
      return CONTENTION;
    }
    if (answer.getErrorCode() == DUPLICATE_KEY) {
      return DUPLICATE;
    }
    if (READ_ONLY_CODES.contains(answer.getErrorCode())) {
      return READ_ONLY;
    }
    String state = answer.getSqlState() == null ? "" : answer.getSqlState();
    boolean dataState = state.startsWith("22") || state.startsWith("23");
    return dataState || DATA_CODES.contains(answer.getErrorCode()) ? DATA : UNAVAILABLE;
  }

  /** Whether there is no connection to be killed. */
  static boolean isGone(Throwable failure) {
    return failure instanceof DatabaseException answer && answer.getErrorCode() == NO_SUCH_THREAD;
  }

  /** Whether an immediate retry of the same transaction may succeed. */
  boolean retries() {
    return this == CONTENTION || this == DUPLICATE;
  }

  /** The fault that the caller gets when no attempt is left. */
  SqlFault afterLastAttempt() {
    return switch (this) {
      case DUPLICATE, DATA -> DATA;
      case CONTENTION, READ_ONLY, UNAVAILABLE -> UNAVAILABLE;
    };
  }
}
