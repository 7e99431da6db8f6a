package io.sluice.db;

import io.vertx.sqlclient.Pool;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pool in use. A primary that was demoted may keep its connections open, answer reads with old
 * data, and refuse writes. So all connections are replaced at the first refused write, and again at
 * the first write that succeeds after it. Connections opened in between may still lead to the old
 * primary. Thread-safe.
 */
final class WriterPool {
  /** While no server takes writes, connections are replaced no more often than this. */
  static final Duration RENEWED_EVERY = Duration.ofSeconds(1);

  private static final Logger log = LoggerFactory.getLogger(WriterPool.class);

  private final Supplier<Pool> make;
  private final Consumer<Pool> giveUp;
  private final LongSupplier nanoTime;
  private volatile Pool pool;
  private volatile boolean refused;
  private long renewedAt;

  /**
   * @param giveUp closes a pool once its calls in progress have ended
   */
  WriterPool(Supplier<Pool> make, Consumer<Pool> giveUp, LongSupplier nanoTime) {
    this.make = make;
    this.giveUp = giveUp;
    this.nanoTime = nanoTime;
    this.pool = make.get();
    this.renewedAt = nanoTime.getAsLong() - RENEWED_EVERY.toNanos();
  }

  Pool now() {
    return pool;
  }

  /** A server that this pool is connected to has refused a write. */
  synchronized void isReadOnly(Pool used) {
    if (used != pool || nanoTime.getAsLong() - renewedAt < RENEWED_EVERY.toNanos()) {
      return;
    }
    if (!refused) {
      log.atWarn()
          .log("the database refuses writes; its connections are replaced to find the primary");
    }
    refused = true;
    renew();
  }

  /** A server that this pool is connected to has taken a write. */
  void hasWritten(Pool used) {
    if (refused) {
      accepted(used);
    }
  }

  private synchronized void accepted(Pool used) {
    if (refused && used == pool) {
      refused = false;
      log.atInfo().log("the database accepts writes again");
      renew();
    }
  }

  private void renew() {
    renewedAt = nanoTime.getAsLong();
    Pool old = pool;
    pool = make.get();
    giveUp.accept(old);
  }
}
