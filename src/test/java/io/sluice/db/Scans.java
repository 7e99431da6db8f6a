package io.sluice.db;

import java.util.EnumSet;
import java.util.Set;

/** The statements that may scan whole tables. */
final class Scans {
  /** Tables with at most one row per partition, instance or target of events. */
  static final Set<SqlStatement> OF_FEW_ROWS =
      EnumSet.of(
          SqlStatement.LIST_FENCES,
          SqlStatement.LIST_FOUNDATION,
          SqlStatement.LIST_REPORTS,
          SqlStatement.LIST_RUNNING_INSTANCES,
          SqlStatement.LIST_WEBHOOKS,
          SqlStatement.RELEASE_WEBHOOKS,
          SqlStatement.READ_LONGEST_SETTINGS,
          SqlStatement.COUNT_INSTANCES,
          SqlStatement.COUNT_OLDER_INSTANCES,
          SqlStatement.LOCK_LOWER_LEVELS,
          SqlStatement.DELETE_LOWER_LEVELS,
          SqlStatement.DELETE_OLD_INSTANCES);

  /**
   * Statements that run rarely: where a ledger is founded, a partition taken over, an outage ends,
   * or a ledger that was put back has no room for a grant.
   */
  static final Set<SqlStatement> SELDOM =
      EnumSet.of(
          SqlStatement.FOUND_FENCES,
          SqlStatement.RAISE_TERM,
          SqlStatement.READ_LONGEST_WINDOW,
          SqlStatement.LIST_OVERDUE);

  private Scans() {}
}
