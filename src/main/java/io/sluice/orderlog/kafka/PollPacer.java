package io.sluice.orderlog.kafka;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/**
 * Decides when a poll waits a moment for more to come. Each record alone would cost a fetch, a poll
 * and two changes of thread; in a stampede records come every millisecond, and reading them is in
 * no such hurry. What comes alone is read at once, and a backlog as fast as it can be.
 */
final class PollPacer {
  static final Duration REST = Duration.ofMillis(20);

  /** Polls that brought something so soon after each other are too many. */
  static final Duration DENSE = Duration.ofMillis(5);

  /** A backlog fills {@link ClientSettings#PARTITION_FETCH_BYTES}, or the records of a poll. */
  static final int BACKLOG_BYTES = 64 * 1024;

  private final LongSupplier nanoTime;
  private final Duration rest;
  private long lastNanos;

  PollPacer() {
    this(System::nanoTime, REST);
  }

  /** Expects a monotonic clock and for how long a poll waits. */
  PollPacer(LongSupplier nanoTime, Duration rest) {
    this.nanoTime = nanoTime;
    this.rest = rest;
    this.lastNanos = nanoTime.getAsLong() - DENSE.toNanos();
  }

  /** How long the poll waits that follows one which just brought these records; mostly zero. */
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
