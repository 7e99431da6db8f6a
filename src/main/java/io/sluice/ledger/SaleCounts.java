package io.sluice.ledger;

import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/**
 * The facts about sales that only instances know: refusals and the times of grants, counted in
 * intervals, and the alarms that they raised. Kept for {@link #KEPT_DAYS} days. Failures as in
 * {@link Ledger}.
 */
public interface SaleCounts {
  /** How long it is kept. */
  int KEPT_DAYS = 90;

  /** The maximum of rows that one call writes, reads or deletes. */
  int ROWS_MAX = 500;

  /** The key of {@link Counts#granted} of grants that took longer than all others. */
  long LONGER = 0;

  /**
   * Counters.
   *
   * @param refused by the names of refusals
   * @param granted by the time in milliseconds within which they were durable, or {@link #LONGER}
   */
  record Counts(Map<String, Long> refused, Map<Long, Long> granted) {
    public Counts {
      refused = Map.copyOf(refused);
      granted = Map.copyOf(granted);
    }

    /** Whether nothing was counted. */
    public boolean isEmpty() {
      return refused.isEmpty() && granted.isEmpty();
    }
  }

  /** The counts of one instance in a sale from {@code beganMs} on. */
  record Interval(String saleId, long beganMs, String instanceId, long lengthMs, Counts counts) {}

  /**
   * An alarm that one instance raised, so many times within a minute.
   *
   * @param alarm its name
   */
  record Incident(
      long firstMs, String instanceId, String alarm, long lastMs, long times, String text) {}

  /** Writes up to {@link #ROWS_MAX} intervals; those that are there stay as they are. */
  Future<Void> keep(List<Interval> intervals);

  /** Writes up to {@link #ROWS_MAX} incidents; those that are there stay as they are. */
  Future<Void> keepIncidents(List<Incident> incidents);

  /** Up to {@link #ROWS_MAX} intervals of the sale behind this one, in order of time. */
  Future<List<Interval>> intervals(String saleId, long afterMs, String afterInstanceId);

  /** The first {@link #ROWS_MAX} incidents of a period. */
  Future<List<Incident>> incidents(long fromMs, long untilMs);

  /** Deletes up to {@link #ROWS_MAX} rows of each kind from before this time; whether all are. */
  Future<Boolean> forget(long beforeMs);
}
