package io.sluice;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tries to reach a part of the system until it answers; says why not, once for each new reason. */
final class Retry {
  static final Duration EVERY = Duration.ofMillis(500);
  private static final Logger log = LoggerFactory.getLogger(Retry.class);

  /** Hears of each failed attempt. */
  interface Listener {
    void failed(String part, String why);
  }

  private final Vertx vertx;
  private final Listener listener;
  private final Predicate<Throwable> isFinal;
  private volatile boolean stopped;

  /** A failure that is final is passed on at once. */
  Retry(Vertx vertx, Listener listener, Predicate<Throwable> isFinal) {
    this.vertx = vertx;
    this.listener = listener;
    this.isFinal = isFinal;
  }

  <T> Future<T> until(String part, Supplier<Future<T>> attempt) {
    return until(part, attempt, "");
  }

  /** No attempt is begun after this. */
  void stop() {
    stopped = true;
  }

  private <T> Future<T> until(String part, Supplier<Future<T>> attempt, String lastWhy) {
    return attempt
        .get()
        .recover(
            failure -> {
              if (stopped || isFinal.test(failure)) {
                return Future.failedFuture(failure);
              }
              String why = String.valueOf(failure.getMessage());
              listener.failed(part, why);
              if (!why.equals(lastWhy)) {
                log.atWarn()
                    .addKeyValue("part", part)
                    .addKeyValue("cause", why)
                    .log("not there yet; trying again");
              }
              return vertx
                  .timer(EVERY.toMillis(), TimeUnit.MILLISECONDS)
                  .compose(now -> until(part, attempt, why));
            });
  }
}
