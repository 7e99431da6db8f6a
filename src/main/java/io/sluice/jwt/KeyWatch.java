package io.sluice.jwt;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** Has the file of a {@link KeyRing} read again and again, on a worker thread, once at a time. */
public final class KeyWatch {
  /** The file is small, so it is read rather than asked for its time: that may lag or be kept. */
  public static final Duration INTERVAL = Duration.ofSeconds(5);

  /** The id of no timer: the first one of Vert.x is 0. */
  private static final long NONE = -1;

  private final Vertx vertx;
  private final KeyRing ring;
  private final Duration interval;
  private final AtomicBoolean isReading = new AtomicBoolean();
  private long timer = NONE;

  public KeyWatch(Vertx vertx, KeyRing ring, Duration interval) {
    this.vertx = vertx;
    this.ring = ring;
    this.interval = interval;
  }

  public void start() {
    if (ring.isFile()) {
      ring.readBy(this::read);
      timer = vertx.setPeriodic(interval.toMillis(), tick -> read());
    }
  }

  /** May be called even if it has not been started. */
  public void stop() {
    vertx.cancelTimer(timer);
  }

  private void read() {
    if (isReading.compareAndSet(false, true)) {
      vertx
          .executeBlocking(
              () -> {
                ring.readAgain();
                return true;
              },
              false)
          .onComplete(read -> isReading.set(false));
    }
  }
}
