package io.sluice.owner;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Whether this instance reaches the two stores that its owners work on, Redis and the ledger, by
 * asking them now and then.
 */
final class ConnectivityMonitor {
  /** Longer than a restart of a store takes, and than the group needs to miss a dead member. */
  static final Duration CUT_OFF_AFTER = Duration.ofSeconds(15);

  private final Store ledger;
  private final Store redis;
  private final LongSupplier nanoTime;

  /** Each question fails where its store cannot be asked; the clock is monotonic. */
  ConnectivityMonitor(
      Supplier<Future<?>> ledger, Supplier<Future<?>> redis, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.ledger = new Store(ledger);
    this.redis = new Store(redis);
  }

  /** Asks both. The Future never fails; it says whether both have answered. */
  Future<Boolean> look() {
    return Future.join(ledger.look(), redis.look())
        .transform(asked -> Future.succeededFuture(asked.succeeded()));
  }

  /** Whether one of them has not answered for {@link #CUT_OFF_AFTER}. */
  boolean isCutOff() {
    return ledger.isCutOff() || redis.isCutOff();
  }

  /** Forgets how long they have not answered. */
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
