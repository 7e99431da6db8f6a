package io.sluice.orderlog.kafka;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/**
 * Decides when a poll is delayed so that more records arrive. A poll per record would cost a fetch
 * and two thread switches each; in a stampede records arrive every millisecond, and reading them is
 * not urgent. A single record is read at once, and a backlog as fast as possible.
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

  private final LongSupplier nanoTime;
  private final Duration rest;
  private long lastNanos;

  PollPacer() {
    this(System::nanoTime, REST);
  }

  /**
   * @param nanoTime a monotonic clock
   * @param rest how long a poll is delayed
   */
  PollPacer(LongSupplier nanoTime, Duration rest) {
    this.nanoTime = nanoTime;
    this.rest = rest;
    this.lastNanos = nanoTime.getAsLong() - DENSE.toNanos();
  }

  /** The delay of the next poll after one that returned these records; mostly zero. */
  Duration restAfter(ConsumerRecords<?, ?> records) {
    if (records.isEmpty()) {
      return Duration.ZERO;
    }
    long sinceNanos = nanoTime.getAsLong() - lastNanos;
    lastNanos += sinceNanos;
    return sinceNanos < DENSE.toNanos() && !isBacklog(records) ? rest : Duration.ZERO;
  }

  private static boolean isBacklog(ConsumerRecords<?, ?> records) {
    int bytes = 0;
    for (ConsumerRecord<?, ?> record : records) {
      bytes += record.serializedValueSize();
    }
    return records.count() >= ClientSettings.POLL_RECORDS_MAX || bytes >= BACKLOG_BYTES;
  }
}
