package io.sluice.grant;

import io.sluice.async.LoopContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/** An event loop whose time a test moves. */
public final class ManualLoop {
  private record Alarm(long dueNanos, long number, Promise<Void> promise) {}

  private final PriorityQueue<Alarm> alarms =
      new PriorityQueue<>(
          Comparator.comparingLong(Alarm::dueNanos).thenComparingLong(Alarm::number));
  private final LoopContext loop = new LoopContext(this::now, this::after, Runnable::run);

  /**
   * A monotonic clock may start anywhere, also shortly before it overflows; not so shortly that
   * twice the start is almost 0, so that a sum of two times is not mistaken for their difference.
   */
  private long nowNanos = Long.MAX_VALUE - 5_000_000;

  private long elapsedNanos;
  private long numbered;

  public LoopContext loop() {
    return loop;
  }

  public long now() {
    return nowNanos;
  }

  public int timersSet() {
    return alarms.size();
  }

  /** Moves the time; timers that become due fire. */
  public void advance(Duration by) {
    long until = elapsedNanos + by.toNanos();
    while (!alarms.isEmpty() && alarms.peek().dueNanos() <= until) {
      Alarm alarm = alarms.remove();
      moveTo(alarm.dueNanos());
      alarm.promise().complete();
    }
    moveTo(until);
  }

  public void advanceMs(long ms) {
    advance(Duration.ofMillis(ms));
  }

  /** Moves the time while the loop is blocked: no timer fires. */
  public void stall(Duration by) {
    moveTo(elapsedNanos + by.toNanos());
  }

  private void moveTo(long newElapsedNanos) {
    nowNanos += newElapsedNanos - elapsedNanos;
    elapsedNanos = newElapsedNanos;
  }

  private Future<Void> after(Duration delay) {
    if (delay.toMillis() < 1) {
      throw new IllegalArgumentException("Expected a delay of 1 ms or more, but got " + delay);
    }
    Promise<Void> promise = Promise.promise();
    alarms.add(new Alarm(elapsedNanos + delay.toNanos(), numbered++, promise));
    return promise.future();
  }
}
