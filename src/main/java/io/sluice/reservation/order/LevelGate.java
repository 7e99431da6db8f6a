package io.sluice.reservation.order;

import io.sluice.async.LoopContext;
import io.sluice.ledger.Levels;
import io.vertx.core.Future;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Whether all owners understand commands that leave notes. A yes is for ever; a no, or no answer,
 * for a second. One per event loop.
 */
final class LevelGate {
  static final Duration ASK_EVERY = Duration.ofSeconds(1);

  private final Levels levels;
  private final LoopContext loop;
  private @Nullable Future<Boolean> last;
  private long askedNanos;

  LevelGate(Levels levels, LoopContext loop) {
    this.levels = levels;
    this.loop = loop;
  }

  /** Fails where the ledger does not say. */
  Future<Boolean> isRaised() {
    Future<Boolean> known = last;
    if (known != null && (isYes(known) || loop.since(askedNanos).compareTo(ASK_EVERY) < 0)) {
      return known;
    }
    askedNanos = loop.now();
    Future<Boolean> asked =
        Future.<Void>succeededFuture().compose(start -> levels.raise(Levels.NOTES));
    last = asked;
    return asked;
  }

  private static boolean isYes(Future<Boolean> known) {
    return known.succeeded() && known.result();
  }
}
