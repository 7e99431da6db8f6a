package io.sluice.order;

import io.sluice.async.ThrottledTask;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The ledger's clock, without a query each time: an answer at most a second old, plus the monotonic
 * time since. No instance's wall clock is trusted. The ledger is queried only while a caller needs
 * the time. One per instance; thread-safe.
 *
 * <p>Ages are never too low, because an answer counts from before its query. If the ledger's clock
 * is set, older data seems to be from the future, or very old; in neither case is it young.
 */
public final class LedgerClock {
  static final Duration ASK_EVERY = Duration.ofSeconds(1);

  /** Older answers are not used: the ledger is unavailable, or nobody has asked for some time. */
  static final Duration ANSWER_MAX = Duration.ofSeconds(5);

  /** The clocks of the ledger and of this machine may run at different speeds. */
  private static final long SLACK_MS = 100;

  private static final long NANOS_PER_MS = 1_000_000;

  private record Answer(long ledgerMs, long askedNanos) {}

  private final Supplier<Future<Long>> ledgerMs;
  private final LongSupplier nanoTime;
  private final ThrottledTask question;
  private volatile @Nullable Answer last;

  /**
   * @param ledgerMs queries the ledger's clock
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

  /**
   * Whether data made at this time of the ledger is younger than {@code than}; false if unknown.
   */
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
