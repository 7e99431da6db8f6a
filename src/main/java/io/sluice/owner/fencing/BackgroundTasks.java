package io.sluice.owner.fencing;

import io.sluice.async.BackgroundTask;
import io.sluice.async.ExecutionSequencer;
import io.sluice.async.StallDetector;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The background tasks of one owner, watched together so that a stuck one is found.
 *
 * <p>Whatever a step waits for has a time limit of its own, and the wait for the {@link
 * ExecutionSequencer} is watched there. So a step that still takes longer than {@link
 * BackgroundTask#STUCK_AFTER} is a defect of this program. It is not started a second time in
 * parallel: the ownership ends, and the successor starts again under a higher term.
 */
public final class BackgroundTasks {
  private final Ownership ownership;
  private final List<BackgroundTask> all = new ArrayList<>();

  public BackgroundTasks(Ownership ownership) {
    this.ownership = ownership;
  }

  public BackgroundTask make(String name, Supplier<Future<Boolean>> step) {
    BackgroundTask task = new BackgroundTask(name, ownership::about, step);
    all.add(task);
    return task;
  }

  /**
   * Called by a timer, each {@link StallDetector#TICK}, unless the tasks may be waiting for the
   * {@link ExecutionSequencer}.
   */
  public void tick() {
    for (BackgroundTask task : all) {
      if (task.isStuck()) {
        ownership.lose();
        return;
      }
    }
  }
}
