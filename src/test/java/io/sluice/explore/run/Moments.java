package io.sluice.explore.run;

import java.util.ArrayList;
import java.util.List;

/**
 * Times counted in calls that changed something, rather than in seconds: something that comes late
 * is most likely to matter if it comes between two steps of something else.
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

  /** Runs this once so many calls have changed something, or after so long. */
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

  /** How many wait. */
  int waiting() {
    return waits.size();
  }

  /** A call has changed something. */
  void passed() {
    waits.forEach(wait -> wait.left--);
    List<Wait> due = waits.stream().filter(wait -> wait.left <= 0).toList();
    waits.removeAll(due);
    due.forEach(wait -> scheduler.after(0, wait::end));
  }
}
