package io.sluice.async;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Work that is repeated on request, but one at a time and not more often than at an interval.
 * Without requests nothing runs. Any thread may request; the work runs on the context of this
 * object.
 */
public final class ThrottledTask {
  private final Supplier<Future<?>> work;
  private final LongSupplier nanoTime;
  private final long everyNanos;
  private final AtomicBoolean underWay = new AtomicBoolean();
  private volatile long dueNanos;

  public ThrottledTask(Supplier<Future<?>> work, Duration every, LongSupplier nanoTime) {
    this.work = work;
    this.nanoTime = nanoTime;
    this.everyNanos = every.toNanos();
    this.dueNanos = nanoTime.getAsLong();
  }

  public void ask() {
    if (!isDue() || !underWay.compareAndSet(false, true)) {
      return;
    }
    if (!isDue()) {
      // Another thread has started the work in the meantime.
      underWay.set(false);
      return;
    }
    dueNanos = nanoTime.getAsLong() + everyNanos;
    Future.succeededFuture().compose(now -> work.get()).onComplete(done -> underWay.set(false));
  }

  private boolean isDue() {
    return nanoTime.getAsLong() - dueNanos >= 0;
  }
}
