package io.sluice.owner;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Probes the two stores that the owners of this instance need, Redis and the ledger. */
final class ConnectivityMonitor {
  /**
   * Longer than a store takes to restart. With what follows (a look each second, the group's
   * answer, the end of work in flight) the partitions are given up within 15 s.
   */
  static final Duration CUT_OFF_AFTER = Duration.ofSeconds(9);

  private final Store ledger;
  private final Store redis;
  private final LongSupplier nanoTime;

  /**
   * @param ledger a probe that fails if the ledger cannot be reached
   * @param redis a probe that fails if Redis cannot be reached
   * @param nanoTime a monotonic clock
   */
  ConnectivityMonitor(
      Supplier<Future<?>> ledger, Supplier<Future<?>> redis, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.ledger = new Store(ledger);
    this.redis = new Store(redis);
  }

  /** Probes both stores. The Future never fails; it is true if both have answered. */
  Future<Boolean> look() {
    return Future.join(ledger.look(), redis.look())
        .transform(asked -> Future.succeededFuture(asked.succeeded()));
  }

  /** Whether one of the stores has not answered for {@link #CUT_OFF_AFTER}. */
  boolean isCutOff() {
    return ledger.isCutOff() || redis.isCutOff();
  }

  /** Restarts the time since the last answers. */
  void restart() {
    ledger.answeredAt = nanoTime.getAsLong();
    redis.answeredAt = nanoTime.getAsLong();
  }

  private final class Store {
    private final Supplier<Future<?>> question;
    private long answeredAt = nanoTime.getAsLong();

    Store(Supplier<Future<?>> question) {
      this.question = question;
    }

    Future<?> look() {
      return question.get().onSuccess(answer -> answeredAt = nanoTime.getAsLong());
    }

    boolean isCutOff() {
      return nanoTime.getAsLong() - answeredAt >= CUT_OFF_AFTER.toNanos();
    }
  }
}
