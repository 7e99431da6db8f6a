package io.sluice.monitor;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures how far the clocks of Redis and of this instance differ from the ledger's clock, which
 * decides time-outs. An order may end too early or too late by that much, so the skew is a metric,
 * and an alarm from {@link #ALARM_FROM} on.
 */
public final class ClockWatch {
  static final Duration ALARM_FROM = Duration.ofSeconds(2);

  /** Slower answers are ignored: the time at which the clock was read is too uncertain. */
  static final Duration ANSWER_MAX = Duration.ofSeconds(1);

  private static final Logger log = LoggerFactory.getLogger(ClockWatch.class);

  private final Supplier<Future<Long>> ledgerMs;
  private final Supplier<Future<List<Long>>> redisMs;
  private final LongSupplier instanceMs;
  private final LongSupplier nanoTime;
  private final Skew redis;
  private final Skew instance;

  /**
   * @param ledgerMs the ledger's clock, like the next two in epoch milliseconds
   * @param redisMs the clocks of Redis; that which differs most counts
   * @param nanoTime a monotonic clock
   * @param gauge shows how far a part's clock is ahead of the ledger's, in milliseconds
   */
  public ClockWatch(
      Supplier<Future<Long>> ledgerMs,
      Supplier<Future<List<Long>>> redisMs,
      LongSupplier instanceMs,
      LongSupplier nanoTime,
      BiConsumer<String, LongSupplier> gauge) {
    this.ledgerMs = ledgerMs;
    this.redisMs = redisMs;
    this.instanceMs = instanceMs;
    this.nanoTime = nanoTime;
    this.redis = new Skew("redis", gauge);
    this.instance = new Skew("instance", gauge);
  }

  /** A reading of clocks, at least one, dated to the middle of the call. */
  private record Reading(List<Long> clocks, long atNanos, long tookNanos) {
    boolean isSharp() {
      return tookNanos <= ANSWER_MAX.toNanos();
    }

    /** The time of the first clock at another moment. */
    long msAt(long nanos) {
      return clocks.get(0) + TimeUnit.NANOSECONDS.toMillis(nanos - atNanos);
    }
  }

  /** Reads the clocks; fails if the ledger's cannot be read. */
  Future<Void> look() {
    return read(() -> ledgerMs.get().map(List::of))
        .map(
            ledger -> {
              if (ledger.isSharp()) {
                instance.note(instanceMs.getAsLong() - ledger.msAt(nanoTime.getAsLong()));
                read(redisMs).onSuccess(seen -> noteRedis(ledger, seen));
              }
              return null;
            });
  }

  private void noteRedis(Reading ledger, Reading seen) {
    if (seen.isSharp()) {
      long ledgersMs = ledger.msAt(seen.atNanos());
      seen.clocks().stream()
          .map(ms -> ms - ledgersMs)
          .max(Comparator.comparingLong(Math::abs))
          .ifPresent(redis::note);
    }
  }

  private Future<Reading> read(Supplier<Future<List<Long>>> clocks) {
    long begin = nanoTime.getAsLong();
    return clocks
        .get()
        .map(
            ms -> {
              long took = nanoTime.getAsLong() - begin;
              return new Reading(ms, begin + took / 2, took);
            });
  }

  /** The last known difference of one clock to the ledger's. */
  private static final class Skew {
    private final String part;
    private volatile long ms;
    private boolean alarmed;

    Skew(String part, BiConsumer<String, LongSupplier> gauge) {
      this.part = part;
      gauge.accept(part, () -> ms);
    }

    void note(long seenMs) {
      ms = seenMs;
      boolean large = Math.abs(seenMs) >= ALARM_FROM.toMillis();
      if (large && !alarmed) {
        Alarm.CLOCK_SKEW.raise(
            log.atError().addKeyValue("part", part).addKeyValue("aheadMs", seenMs));
      } else if (!large && alarmed) {
        log.atInfo().addKeyValue("part", part).log("clock agrees with the ledger's again");
      }
      alarmed = large;
    }
  }
}
