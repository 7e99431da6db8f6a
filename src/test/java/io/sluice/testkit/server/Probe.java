package io.sluice.testkit.server;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Asks a server whether it serves; throws while it does not. */
@FunctionalInterface
public interface Probe {
  Duration POLL_INTERVAL = Duration.ofMillis(20);

  /** Returns product and version, as far as the server tells. */
  String ask() throws Exception;

  /** Retries until the server answers, has ended or the time is over. */
  default String await(
      String name, Duration limit, BooleanSupplier running, Supplier<String> logTail) {
    long deadlineNs = System.nanoTime() + limit.toNanos();
    while (true) {
      if (!running.getAsBoolean()) {
        throw new BackendException(name + " ended while it was starting." + logTail.get());
      }
      try {
        return ask();
      } catch (Exception e) {
        if (System.nanoTime() > deadlineNs) {
          throw new BackendException(
              "%s did not answer within %s s.%s".formatted(name, limit.toSeconds(), logTail.get()),
              e);
        }
      }
      LockSupport.parkNanos(POLL_INTERVAL.toNanos());
    }
  }
}
