package io.sluice.explore.store;

import io.sluice.explore.run.Scheduler;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows that transactions lock, modelled as a single lock: others wait until its holder ends or
 * is rolled back by the database.
 */
final class Locks {
  /** A transaction in progress. */
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

  /** Takes the lock, which must be free; the holder is rolled back after {@code atMostUs}. */
  Hold hold(long atMostUs) {
    Hold hold = new Hold();
    holder = hold;
    scheduler.after(atMostUs, hold::end);
    return hold;
  }

  /** Rolls back the transaction that holds the lock. */
  void restart() {
    if (holder != null) {
      holder.end();
    }
  }

  /** A transaction without locks. */
  Hold none() {
    return new Hold();
  }

  /** Runs this when the lock is released; another caller may have taken it by then. */
  void await(Runnable next) {
    waiting.add(next);
  }
}
