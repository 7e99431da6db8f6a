package io.sluice.reservation.order;

import io.sluice.async.ThrottledTask;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What time it is at the ledger, without asking it each time: the answer of a second ago at most,
 * and the monotonic time since. No wall clock of any instance is trusted. It is asked while
 * somebody wants to know, and not otherwise. One per instance; any thread.
 *
 * <p>Ages are never too low: the answer counts from before the question was asked. Where the
 * ledger's clock is set, what was made before seems to come from the future, or to be very old; in
 * neither case is it young.
 */
public final class LedgerClock {
  static final Duration ASK_EVERY = Duration.ofSeconds(1);

  /** An answer that is older is not relied on: the ledger is away, or nobody has asked for long. */
  static final Duration ANSWER_MAX = Duration.ofSeconds(5);

  /** The clocks of ledger and machine need not go at the same pace. */
  private static final long SLACK_MS = 100;

  private static final long NANOS_PER_MS = 1_000_000;

  private record Answer(long ledgerMs, long askedNanos) {}

  private final Supplier<Future<Long>> ledgerMs;
  private final LongSupplier nanoTime;
  private final ThrottledTask question;
  private volatile @Nullable Answer last;

  /**
   * Asks nobody yet.
   *
   * @param ledgerMs asks the ledger what time it is
   * @param nanoTime a monotonic clock
   */
  public LedgerClock(Supplier<Future<Long>> ledgerMs, LongSupplier nanoTime) {
    this.ledgerMs = ledgerMs;
    this.nanoTime = nanoTime;
    this.question = new ThrottledTask(this::ask, ASK_EVERY, nanoTime);
  }

  private Future<?> ask() {
    long askedNanos = nanoTime.getAsLong();
    return ledgerMs.get().onSuccess(nowMs -> last = new Answer(nowMs, askedNanos));
  }

  /** Whether what was made at this time of the ledger is younger than that; false if unknown. */
  public boolean isYounger(long madeAtMs, Duration than) {
    question.ask();
    Answer answer = last;
    if (answer == null) {
      return false;
    }
    long sinceNanos = nanoTime.getAsLong() - answer.askedNanos();
    long ageMs = answer.ledgerMs() + sinceNanos / NANOS_PER_MS - madeAtMs;
    return sinceNanos < ANSWER_MAX.toNanos() && ageMs >= -SLACK_MS && ageMs < than.toMillis();
  }
}
