package io.sluice.order;

import io.sluice.async.LoopContext;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Levels;
import io.vertx.core.Future;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Whether all instances of the ledger are of {@link Levels#WITHDRAWN}, and so understand what is of
 * it. An answer is kept for a second, also a yes: a ledger that is restored may be of a lower level
 * again. One per event loop.
 */
final class LevelGate {
  static final Duration ASK_EVERY = Duration.ofSeconds(1);

  private final Ledger ledger;
  private final LoopContext loop;
  private @Nullable Future<Boolean> last;
  private long askedNanos;

  LevelGate(Ledger ledger, LoopContext loop) {
    this.ledger = ledger;
    this.loop = loop;
  }

  /** Fails if the ledger does not say. */
  Future<Boolean> isRaised() {
    Future<Boolean> known = last;
    if (known != null && !known.failed() && loop.since(askedNanos).compareTo(ASK_EVERY) < 0) {
      return known;
    }
    askedNanos = loop.now();
    Future<Boolean> asked = ledger.raise(Levels.WITHDRAWN);
    last = asked;
    return asked;
  }
}
