package io.sluice.admin;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Looks again and again until it sees enough, or the time is up. */
final class Poll {
  private static final Duration EVERY = Duration.ofMillis(50);

  /** Waits; a timer of Vert.x in the service. */
  @FunctionalInterface
  interface Pause {
    Future<Void> pause(Duration duration);
  }

  private final Pause pause;
  private final InstantSource clock;

  Poll(Pause pause, InstantSource clock) {
    this.pause = pause;
    this.clock = clock;
  }

  /** The moment when this much time is up. */
  Instant deadline(Duration within) {
    return clock.instant().plus(within);
  }

  /** What was seen last: enough, or what there was when the time was up. Looks at least once. */
  <T> Future<T> until(Instant deadline, Supplier<Future<T>> look, Predicate<T> enough) {
    return look.get()
        .compose(
            seen ->
                enough.test(seen) || !clock.instant().isBefore(deadline)
                    ? Future.succeededFuture(seen)
                    : pause.pause(EVERY).compose(again -> until(deadline, look, enough)));
  }
}
