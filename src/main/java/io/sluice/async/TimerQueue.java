package io.sluice.async;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.TreeSet;

/**
 * Many cancelable deadlines on few timers that cannot be canceled. A canceled deadline is released
 * at once, so that a busy loop keeps only references to work in flight.
 */
public final class TimerQueue {
  /** A task to run at a time, unless it is canceled before. */
  public final class Deadline implements Comparable<Deadline> {
    private final long dueNanos;
    private final long number;
    private final Runnable task;

    private Deadline(long dueNanos, long number, Runnable task) {
      this.dueNanos = dueNanos;
      this.number = number;
      this.task = task;
    }

    public void cancel() {
      open.remove(this);
    }

    @Override
    public int compareTo(Deadline other) {
      int byTime = Long.compare(dueNanos, other.dueNanos);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  private final LoopContext loop;

  /** All times are relative to this, because a monotonic clock may start at any value. */
  private final long startNanos;

  private final TreeSet<Deadline> open = new TreeSet<>();
  private long numbered;

  /** The times of the timers that are set. A new one is only set if it fires before all others. */
  private final TreeSet<Long> armed = new TreeSet<>();

  public TimerQueue(LoopContext loop) {
    this.loop = loop;
    this.startNanos = loop.now();
  }

  /** Runs the task after the delay, never synchronously. */
  public Deadline after(Duration delay, Runnable task) {
    numbered++;
    Deadline deadline = new Deadline(sinceStart() + delay.toNanos(), numbered, task);
    open.add(deadline);
    arm();
    return deadline;
  }

  /**
   * The outcome of this work, or a failure if it takes longer than the limit; its later outcome is
   * dropped.
   */
  public <T> Future<T> within(Duration limit, Future<T> work) {
    if (work.isComplete()) {
      return work;
    }
    Promise<T> outcome = Promise.promise();
    Deadline end = after(limit, () -> outcome.tryFail("Expected an answer in " + limit));
    work.onComplete(
        done -> {
          end.cancel();
          if (done.succeeded()) {
            outcome.tryComplete(done.result());
          } else {
            outcome.tryFail(done.cause());
          }
        });
    return outcome.future();
  }

  private void arm() {
    if (open.isEmpty()) {
      return;
    }
    long due = open.first().dueNanos;
    if (armed.isEmpty() || due < armed.first()) {
      armed.add(due);
      loop.timers().after(wholeMillis(due - sinceStart())).onSuccess(fired -> fire(due));
    }
  }

  private void fire(long armedNanos) {
    armed.remove(armedNanos);
    while (!open.isEmpty() && open.first().dueNanos <= sinceStart()) {
      Deadline due = open.first();
      open.remove(due);
      due.task.run();
    }
    arm();
  }

  private long sinceStart() {
    return loop.now() - startNanos;
  }

  /**
   * Timers count milliseconds; rounded up, since one that fires too early would have to be set
   * again.
   */
  private static Duration wholeMillis(long nanos) {
    return Duration.ofMillis(Math.max(1, Duration.ofNanos(nanos + 999_999).toMillis()));
  }
}
