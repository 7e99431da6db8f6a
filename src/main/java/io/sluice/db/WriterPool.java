package io.sluice.db;

import io.vertx.sqlclient.Pool;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pool in use. A primary that was demoted may keep its connections open: it answers reads with
 * what it had, and refuses writes. So all connections are given up with the first refused write,
 * and once more with the first write that is taken after it: what was connected in between may
 * still lead to the old one. May be used on any thread.
 */
final class WriterPool {
  /** As long as no server takes writes, connections are not made anew more often. */
  static final Duration RENEWED_EVERY = Duration.ofSeconds(1);

  private static final Logger log = LoggerFactory.getLogger(WriterPool.class);

  private final Supplier<Pool> make;
  private final Consumer<Pool> giveUp;
  private final LongSupplier nanoTime;
  private volatile Pool pool;
  private volatile boolean refused;
  private long renewedAt;

  /** {@code giveUp} closes a pool once the calls that it still serves have ended. */
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

  /** A connection of this pool leads to a server that takes no writes. */
  synchronized void isReadOnly(Pool used) {
    if (used != pool || nanoTime.getAsLong() - renewedAt < RENEWED_EVERY.toNanos()) {
      return;
    }
    if (!refused) {
      log.atWarn().log("the database takes no writes; its connections are given up for new ones");
    }
    refused = true;
    renew();
  }

  /** A server that this pool leads to has taken a write. */
  void hasWritten(Pool used) {
    if (refused) {
      accepted(used);
    }
  }

  private synchronized void accepted(Pool used) {
    if (refused && used == pool) {
      refused = false;
      log.atInfo().log("the database takes writes again");
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
