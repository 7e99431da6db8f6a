package io.sluice.orderlog.kafka;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/**
 * Decides when a poll is delayed so that more records arrive. A poll per record would cost a fetch
 * and two thread switches each; in a stampede records arrive every millisecond, and reading them is
 * not urgent. A single record is read at once, and a backlog as fast as possible.
 *
 * <p>The order log is fetched with a short wait, so that resumed partitions are read soon. While
 * nothing comes, each fetch would follow the one before at once; so polls rest in between after
 * some time without a record, unless something is known to come: {@link #stir}.
 */
final class PollPacer {
  static final Duration REST = Duration.ofMillis(20);

  /** Polls with records that follow each other within this time are too frequent. */
  static final Duration DENSE = Duration.ofMillis(5);

  /**
   * A backlog fills {@link ClientSettings#PARTITION_FETCH_BYTES}, or the maximum number of records
   * of a poll.
   */
  static final int BACKLOG_BYTES = 64 * 1024;

  /** After this time without a record the log is idle. */
  static final Duration IDLE_AFTER = Duration.ofSeconds(5);

  /** By how much the first record of another instance may come later, after an idle time. */
  static final Duration IDLE_REST = Duration.ofMillis(250);

  /** A poll without records ends after this time; a changed plan ends it at once. */
  private static final Duration POLL = Duration.ofMillis(100);

  /** Between two rests: a little longer than the wait of one fetch. */
  private static final Duration IDLE_POLL =
      Duration.ofMillis(ClientSettings.ORDERS_FETCH_WAIT_MS + 5);

  /** Of records whose fetches wait for a long time themselves. */
  private static final Duration LONG_POLL = Duration.ofSeconds(1);

  private final LongSupplier nanoTime;
  private final Duration rest;
  private final boolean restsIdle;

  // Written on the loop's context.
  private volatile long lastNanos;
  private volatile long stirredNanos;

  /** For the order log. */
  static PollPacer ofOrders() {
    return new PollPacer(System::nanoTime, REST, true);
  }

  /** For events, whose fetches wait until there are records. */
  static PollPacer ofEvents() {
    return new PollPacer(System::nanoTime, REST, false);
  }

  /**
   * @param nanoTime a monotonic clock
   * @param rest how long a poll is delayed
   * @param restsIdle whether polls rest while nothing comes
   */
  PollPacer(LongSupplier nanoTime, Duration rest, boolean restsIdle) {
    this.nanoTime = nanoTime;
    this.rest = rest;
    this.restsIdle = restsIdle;
    this.stirredNanos = nanoTime.getAsLong();
    this.lastNanos = stirredNanos - DENSE.toNanos();
  }

  /** The delay of the next poll after one that returned these records; mostly zero in a sale. */
  Duration restAfter(ConsumerRecords<?, ?> records) {
    if (records.isEmpty()) {
      return isIdle() ? IDLE_REST : Duration.ZERO;
    }
    long now = nanoTime.getAsLong();
    long sinceNanos = now - lastNanos;
    lastNanos = now;
    return sinceNanos < DENSE.toNanos() && !isBacklog(records) ? rest : Duration.ZERO;
  }

  /** How long the next poll waits for a record. */
  Duration pollTimeout() {
    if (!restsIdle) {
      return LONG_POLL;
    }
    return isIdle() ? IDLE_POLL : POLL;
  }

  /** The log is not idle from now on: something was appended, or is read from now on. */
  void stir() {
    stirredNanos = nanoTime.getAsLong();
  }

  /** Whether polls rest, because nothing has come for a while; from any thread. */
  boolean isIdle() {
    long now = nanoTime.getAsLong();
    return restsIdle
        && now - lastNanos >= IDLE_AFTER.toNanos()
        && now - stirredNanos >= IDLE_AFTER.toNanos();
  }

  private static boolean isBacklog(ConsumerRecords<?, ?> records) {
    int bytes = 0;
    for (ConsumerRecord<?, ?> record : records) {
      bytes += record.serializedValueSize();
    }
    return records.count() >= ClientSettings.POLL_RECORDS_MAX || bytes >= BACKLOG_BYTES;
  }
}
