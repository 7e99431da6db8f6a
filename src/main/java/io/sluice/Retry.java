package io.sluice;

import io.sluice.async.AsyncLoop;
import io.sluice.async.Timers;
import io.sluice.connect.ConnectFault;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Retries connecting to a dependency until it succeeds; logs each new reason of failure once. */
final class Retry {
  static final Duration EVERY = Duration.ofMillis(500);
  private static final Logger log = LoggerFactory.getLogger(Retry.class);

  /** Notified of each failed attempt. */
  interface Listener {
    void failed(String part, ConnectFault fault);
  }

  private final Timers timers;
  private final Listener listener;
  private final Predicate<Throwable> isFinal;
  private volatile boolean stopped;

  /**
   * @param isFinal failures that are not retried
   */
  Retry(Timers timers, Listener listener, Predicate<Throwable> isFinal) {
    this.timers = timers;
    this.listener = listener;
    this.isFinal = isFinal;
  }

  <T> Future<T> until(String part, Supplier<Future<T>> attempt) {
    AtomicReference<T> reached = new AtomicReference<>();
    AtomicReference<String> lastWhy = new AtomicReference<>("");
    return AsyncLoop.whileTrue(
            () ->
                attempt
                    .get()
                    .transform(
                        (value, failure) -> {
                          if (failure != null) {
                            return failed(part, failure, lastWhy);
                          }
                          reached.set(value);
                          return Future.succeededFuture(false);
                        }))
        .map(done -> reached.get());
  }

  /** No attempt is started after this. */
  void stop() {
    stopped = true;
  }

  /** Whether to retry, after a pause. */
  private Future<Boolean> failed(String part, Throwable failure, AtomicReference<String> lastWhy) {
    if (stopped || isFinal.test(failure)) {
      return Future.failedFuture(failure);
    }
    ConnectFault fault = ConnectFault.of(failure);
    String why = ConnectFault.line(failure);
    listener.failed(part, fault);
    if (!why.equals(lastWhy.getAndSet(why))) {
      log.atWarn()
          .addKeyValue("part", part)
          .addKeyValue("reason", fault.text())
          .addKeyValue("cause", why)
          .log("dependency unavailable; retried until it succeeds");
    }
    return timers.after(EVERY).map(true);
  }
}
