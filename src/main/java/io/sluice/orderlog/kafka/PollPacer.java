package io.sluice.orderlog.kafka;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/**
 * Decides when a poll is delayed.
 *
 * <p>The order log is fetched with a short wait, in which the broker gathers records, and after
 * which resumed partitions are read. While nothing comes, each fetch would follow the one before at
 * once; so polls rest in between after some time without a record, unless something is known to
 * come: {@link #stir}.
 *
 * <p>Fetches of events wait for a long time, and end with the first record. So polls rest after
 * records, in which time others come; a fetch, a poll and two thread switches for each would cost
 * more. One that comes alone is read at once.
 */
final class PollPacer {
  static final Duration EVENTS_REST = Duration.ofMillis(10);

  /** After this time without a record the log is idle. */
  static final Duration IDLE_AFTER = Duration.ofSeconds(5);

  /** By how much a record of another instance may come later, if it is the first for a while. */
  static final Duration IDLE_REST = Duration.ofMillis(250);

  /** A poll without records ends after this time; a changed plan ends it at once. */
  private static final Duration POLL = Duration.ofMillis(100);

  /** Between two rests: longer than the wait of one fetch and the way of its answer. */
  private static final Duration IDLE_POLL =
      Duration.ofMillis(ClientSettings.ORDERS_FETCH_WAIT_MS + 15);

  /** Of records whose fetches wait for a long time themselves. */
  private static final Duration LONG_POLL = Duration.ofSeconds(1);

  private final LongSupplier nanoTime;
  private final Duration rest;
  private final Duration idleRest;

  /** When something came, or was known to come. Written on the loop's context. */
  private volatile long stirredNanos;

  /** For the order log. */
  static PollPacer ofOrders() {
    return new PollPacer(System::nanoTime, Duration.ZERO, IDLE_REST);
  }

  static PollPacer ofEvents() {
    return new PollPacer(System::nanoTime, EVENTS_REST, Duration.ZERO);
  }

  /**
   * @param nanoTime a monotonic clock
   * @param rest after a poll with records
   * @param idleRest between polls while nothing has come for a while; zero if fetches wait for long
   */
  PollPacer(LongSupplier nanoTime, Duration rest, Duration idleRest) {
    this.nanoTime = nanoTime;
    this.rest = rest;
    this.idleRest = idleRest;
    this.stirredNanos = nanoTime.getAsLong();
  }

  /** The delay of the next poll after one that returned these records. */
  Duration restAfter(ConsumerRecords<?, ?> records) {
    if (!records.isEmpty()) {
      stir();
      return rest;
    }
    return isIdle() ? idleRest : Duration.ZERO;
  }

  /** How long the next poll waits for a record. */
  Duration pollTimeout() {
    if (idleRest.isZero()) {
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
    return !idleRest.isZero() && nanoTime.getAsLong() - stirredNanos >= IDLE_AFTER.toNanos();
  }
}
