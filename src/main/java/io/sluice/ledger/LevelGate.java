package io.sluice.ledger;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether all instances are of a level, and so understand what is of it. A yes is kept; a no, or no
 * answer, is kept for a second. One per event loop.
 */
public final class LevelGate {
  public static final Duration ASK_EVERY = Duration.ofSeconds(1);

  private final Levels levels;
  private final int level;
  private final LongSupplier nanoTime;
  private @Nullable Future<Boolean> last;
  private long askedNanos;

  /**
   * @param level as {@link Levels} has it
   * @param nanoTime a monotonic clock
   */
  public LevelGate(Levels levels, int level, LongSupplier nanoTime) {
    this.levels = levels;
    this.level = level;
    this.nanoTime = nanoTime;
  }

  /** Fails if the ledger does not say. */
  public Future<Boolean> isRaised() {
    Future<Boolean> known = last;
    if (known != null
        && (isYes(known) || nanoTime.getAsLong() - askedNanos < ASK_EVERY.toNanos())) {
      return known;
    }
    askedNanos = nanoTime.getAsLong();
    Future<Boolean> asked = Future.<Void>succeededFuture().compose(start -> levels.raise(level));
    last = asked;
    return asked;
  }

  private static boolean isYes(Future<Boolean> known) {
    return known.succeeded() && known.result();
  }
}
