package io.sluice.explore.run;

import java.util.ArrayList;
import java.util.List;

/**
 * Delays counted in state-changing calls instead of seconds: a late event matters most between two
 * steps of another operation.
 */
public final class Moments {
  private static final class Wait {
    private int left;
    private Runnable action;

    private Wait(int left, Runnable action) {
      this.left = left;
      this.action = action;
    }

    private void end() {
      Runnable once = action;
      action = null;
      if (once != null) {
        once.run();
      }
    }
  }

  private final Scheduler scheduler;
  private final List<Wait> waits = new ArrayList<>();

  Moments(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** Runs this once after that many changes, or after that time at the latest. */
  public void after(int changes, long atMostUs, Runnable action) {
    Wait wait = new Wait(changes, action);
    waits.add(wait);
    scheduler.after(
        atMostUs,
        () -> {
          waits.remove(wait);
          wait.end();
        });
  }

  /** The number of pending actions. */
  int waiting() {
    return waits.size();
  }

  /** Called after each call that changed something. */
  void passed() {
    waits.forEach(wait -> wait.left--);
    List<Wait> due = waits.stream().filter(wait -> wait.left <= 0).toList();
    waits.removeAll(due);
    due.forEach(wait -> scheduler.after(0, wait::end));
  }
}
