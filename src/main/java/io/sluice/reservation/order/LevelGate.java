package io.sluice.reservation.order;

import io.sluice.async.LoopContext;
import io.sluice.ledger.Levels;
import io.vertx.core.Future;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Whether all instances understand what this level brings. A yes is for ever; a no, or no answer,
 * for a second. One per event loop.
 */
public final class LevelGate {
  public static final Duration ASK_EVERY = Duration.ofSeconds(1);

  private final Levels levels;
  private final int level;
  private final LoopContext loop;
  private @Nullable Future<Boolean> last;
  private long askedNanos;

  /**
   * @param level one of {@link Levels}
   */
  public LevelGate(Levels levels, int level, LoopContext loop) {
    this.levels = levels;
    this.level = level;
    this.loop = loop;
  }

  /** Fails where the ledger does not say. */
  public Future<Boolean> isRaised() {
    Future<Boolean> known = last;
    if (known != null && (isYes(known) || loop.since(askedNanos).compareTo(ASK_EVERY) < 0)) {
      return known;
    }
    askedNanos = loop.now();
    Future<Boolean> asked = Future.<Void>succeededFuture().compose(start -> levels.raise(level));
    last = asked;
    return asked;
  }

  private static boolean isYes(Future<Boolean> known) {
    return known.succeeded() && known.result();
  }
}
