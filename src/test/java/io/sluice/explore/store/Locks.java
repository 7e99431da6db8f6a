package io.sluice.explore.store;

import io.sluice.explore.run.Scheduler;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows that transactions lock, as if they were one: who holds it has all others wait, until it
 * ends or the database gives it up.
 */
final class Locks {
  /** A transaction under way. */
  final class Hold {
    private boolean over;

    private Hold() {}

    /** Whether it has ended, or was rolled back by the database. */
    boolean isOver() {
      return over;
    }

    void end() {
      if (!over) {
        over = true;
      }
      if (holder == this) {
        holder = null;
        List<Runnable> due = List.copyOf(waiting);
        waiting.clear();
        due.forEach(next -> scheduler.after(1, next));
      }
    }
  }

  private final Scheduler scheduler;
  private final List<Runnable> waiting = new ArrayList<>();
  private Hold holder;

  Locks(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  boolean areHeld() {
    return holder != null;
  }

  /** Expects that nobody holds them; they are given up after so long. */
  Hold hold(long atMostUs) {
    Hold hold = new Hold();
    holder = hold;
    scheduler.after(atMostUs, hold::end);
    return hold;
  }

  /** What holds nothing. */
  Hold none() {
    return new Hold();
  }

  /** Runs this when they are free, or may be. */
  void await(Runnable next) {
    waiting.add(next);
  }
}
