package io.sluice.admin;

import io.vertx.core.Future;
import io.vertx.core.Promise;
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
    Promise<T> seen = Promise.promise();
    again(deadline, look, enough, seen);
    return seen.future();
  }

  /** One promise for all rounds: a chain of Futures would grow with each. */
  private <T> void again(
      Instant deadline, Supplier<Future<T>> look, Predicate<T> enough, Promise<T> seen) {
    Future.<Void>succeededFuture()
        .compose(begun -> look.get())
        .onFailure(seen::fail)
        .onSuccess(
            now -> {
              if (enough.test(now) || !clock.instant().isBefore(deadline)) {
                seen.complete(now);
              } else {
                pause
                    .pause(EVERY)
                    .onFailure(seen::fail)
                    .onSuccess(next -> again(deadline, look, enough, seen));
              }
            });
  }
}
