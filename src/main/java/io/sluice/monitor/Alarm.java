package io.sluice.monitor;

import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Something that must not happen, or that does not pass by itself. Each is a line at ERROR and the
 * metric {@code sluice_alarms_total}, and has its chapter in docs/runbook.md under the same text.
 */
public enum Alarm {
  SKU_FROZEN(
      "ALARM: SKU is frozen: its counters and rows disagree; repair the ledger, then unfreeze and"
          + " rebuild it",
      "all other SKUs"),
  GATE_FULL(
      "ALARM: ledger gate is full: Redis granted more units than are allotted;"
          + " the order is rejected and the bucket is rebuilt",
      "all other orders; this one alone is rejected"),
  SEQ_GRANTED_TWICE(
      "ALARM: two orders claim one seq: Redis granted a unit twice; the second order is"
          + " dead-lettered and the bucket is rebuilt",
      "all other orders; the first of the two stands"),
  DIRECT_BOOKING_UNSOUND(
      "ALARM: direct booking met a full ledger gate or an unknown epoch; the bucket is rebuilt",
      "everything else; the owner decides the order"),
  SWEPT_GRANT_REFUSED(
      "ALARM: ledger refuses the values of a swept grant; its order is rejected and its units are"
          + " released",
      "all other grants"),
  LEDGER_RESTORED(
      "ALARM: ledger was restored to an earlier state; the order log is booked again and Redis"
          + " rebuilt; repeat restocks, SKU changes and direct bookings made since then",
      "each SKU whose partitions have booked their logs again"),
  EPOCH_AHEAD(
      "ALARM: ledger was restored to an earlier state: the order log has grants of a newer epoch,"
          + " or of units that it has in other buckets; they are booked and the bucket is rebuilt",
      "all other buckets; these sell again once they are rebuilt"),
  LOG_CUT(
      "ALARM: partition is blocked: its order log ends before the ledger's next offset; restore"
          + " the topic or POST /admin/partitions/{n}/reset",
      "all other partitions; grants of this one still reach the ledger"),
  LOG_RECORDS_LOST(
      "ALARM: partition is blocked: records of its order log were deleted unread;"
          + " POST /admin/partitions/{n}/reset",
      "all other partitions"),
  FOREIGN_RECORD(
      "ALARM: order log has records of another program; they are passed; take from it the right to"
          + " write there",
      "everything"),
  MORE_PARTITIONS(
      "ALARM: orders topic has more partitions than the ledger was founded with; these are not"
          + " used, since they cannot be taken back",
      "everything"),
  SECOND_LEDGER(
      "ALARM: another ledger uses the same topics or Redis; give each ledger topics, a group and a"
          + " Redis of its own",
      "everything, unless Redis names the other ledger: then nothing is granted"),
  EVENTS_FORGED(
      "ALARM: events were published that no instance of this ledger has signed; they are ignored;"
          + " take from others the right to write there",
      "everything"),
  LEDGER_TASK_STUCK(
      "ALARM: ledger task is stuck and blocks all others of its partition; its owner steps down",
      "all other partitions; this one gets another owner"),
  LEDGER_TASK_SLOW(
      "ALARM: ledger task is slow and blocks all others of its partition; check the database's"
          + " load",
      "all other partitions"),
  BACKGROUND_TASK_STUCK(
      "ALARM: background task is stuck; its partition owner steps down; restart the instance"
          + " where the line has no partition",
      "all other partitions and instances"),
  NO_BUCKET_LOADS(
      "ALARM: no bucket of the partition can be loaded into Redis; check Redis, the order log and"
          + " the ledger",
      "all other partitions"),
  LEDGER_AWAY(
      "ALARM: ledger is away: fast SKUs sell on, payments and direct SKUs wait; bring the database"
          + " back and restart no instance",
      "fast SKUs, until the backlog is full; looking up the last orders"),
  STOCK_AWAY(
      "ALARM: Redis is away: fast SKUs sell nothing, payments go on; bring Redis back and restart"
          + " no instance",
      "looking up, paying, canceling and refunding orders; direct SKUs"),
  LOG_AWAY(
      "ALARM: order log is away: orders are booked past it within a budget, payments wait; bring"
          + " Kafka back and restart no instance",
      "placing orders within a budget, looking them up; direct SKUs in full"),
  NO_OWNER(
      "ALARM: partition has no working owner, nothing of it is booked; restart the instance that"
          + " it is assigned to",
      "granting, until the backlog is full; all other partitions"),
  SALE_END_STANDS(
      "ALARM: end or archive of a sale stands still; remove what it waits for", "all other sales"),
  REDIS_UNFIT(
      "ALARM: Redis is not fit to hold stock, nothing is granted; configure it as cause says",
      "looking up, paying, canceling and refunding orders; direct SKUs"),
  STRAY_GRANTS(
      "ALARM: a Redis that was replaced still grants units; its grants are dropped; end the"
          + " instance that uses it",
      "all grants of the Redis that is in use"),
  CLOCK_SKEW(
      "ALARM: clock skew: a clock differs from the ledger's, orders may end early or late by as"
          + " much; correct that clock",
      "everything, but orders end early or late"),
  FILE_ASKED(
      "ALARM: database asks for a file of this machine: it is none of yours, or it was taken over;"
          + " nothing was sent; set mysql.tls to verify, and look who answers",
      "fast SKUs, until the backlog is full; looking up the last orders"),
  WEBHOOK_STANDS(
      "ALARM: webhook is not delivered: its target does not accept events; repair the target, then"
          + " replay",
      "orders and all other webhooks"),
  KEYS_UNREADABLE(
      "ALARM: keys of tokens cannot be read again; the former ones stay in force",
      "the former keys");

  private static final String KEY = "alarm";
  private static final InstantSource CLOCK = InstantSource.system();

  private final String text;
  private final String works;

  /** Of this process: an alarm may be raised before there are meters, and by code that has none. */
  private final LongAdder raised = new LongAdder();

  private volatile long lastRaisedAtMs;

  /**
   * @param text "ALARM: what is so; what to do"
   * @param works what works meanwhile, if nothing else is wrong
   */
  Alarm(String text, String works) {
    this.text = text;
    this.works = works;
  }

  /** Its name in metrics and log lines, e.g. {@code gate-full}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The text of the log line, and the heading of its chapter. */
  public String text() {
    return text;
  }

  /** What works while it stands, if nothing else is wrong. */
  public String works() {
    return works;
  }

  /**
   * Logs and counts it.
   *
   * @param line at ERROR, with the details as key-values
   */
  public void raise(LoggingEventBuilder line) {
    raised.increment();
    lastRaisedAtMs = CLOCK.millis();
    line.addKeyValue(KEY, word()).log(text);
  }

  /** The word of the alarm that a line with these key-values is; null if it is none. */
  public static @Nullable String wordIn(@Nullable List<KeyValuePair> pairs) {
    if (pairs != null) {
      for (KeyValuePair pair : pairs) {
        if (pair.key.equals(KEY)) {
          return String.valueOf(pair.value);
        }
      }
    }
    return null;
  }

  /** How often it was raised since this process started. */
  public long raised() {
    return raised.sum();
  }

  /** When it was last raised, epoch milliseconds; 0 if it was not since this process started. */
  public long lastRaisedAtMs() {
    return lastRaisedAtMs;
  }
}
