package io.sluice.db;

import io.vertx.sqlclient.DatabaseException;
import java.util.Set;

/** What a failure of the database means for the call that met it. */
public enum SqlFault {
  /**
   * Another transaction was in the way (deadlock, lock wait): the same transaction may pass now.
   */
  CONTENTION,
  /** A row with this key came in between: the transaction reads it when it runs again. */
  DUPLICATE,
  /** The data itself is refused: too long, out of range, a broken constraint. */
  DATA,
  /**
   * The server takes no writes, though it was the one to write to: another may be that now, and is
   * reached by new connections only.
   */
  READ_ONLY,
  /** Connection, time-out, full disk and all that is not known: nothing was learned. */
  UNAVAILABLE;

  // Lock wait, deadlock, "record has changed since last read" (MariaDB 11.6 and later).
  private static final Set<Integer> CONTENTION_CODES = Set.of(1205, 1213, 1020);
  // Read-only by an option (read_only, super_read_only), by its mode, or in a read-only
  // transaction;
  // a member that its replication group has shut out.
  private static final Set<Integer> READ_ONLY_CODES = Set.of(1290, 1836, 1792, 3100);
  private static final int DUPLICATE_KEY = 1062;

  // Those that are not of SQLSTATE class 22 (data exception) or 23 (constraint) on every server:
  // out of range, too long, incorrect value, truncated, null, no default, CHECK on MySQL and
  // MariaDB.
  private static final Set<Integer> DATA_CODES =
      Set.of(1264, 1406, 1366, 1292, 1265, 1367, 1411, 1048, 1364, 1690, 3819, 4025);

  /** The fault behind this failure. */
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

  /** Whether the same transaction may succeed when it is run again at once. */
  boolean retries() {
    return this == CONTENTION || this == DUPLICATE;
  }

  /** What the caller is told once no attempt is left. */
  SqlFault afterLastAttempt() {
    return switch (this) {
      case DUPLICATE, DATA -> DATA;
      case CONTENTION, READ_ONLY, UNAVAILABLE -> UNAVAILABLE;
    };
  }
}
