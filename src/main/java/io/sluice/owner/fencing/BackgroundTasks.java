package io.sluice.owner.fencing;

import io.sluice.async.BackgroundTask;
import io.sluice.async.ExecutionSequencer;
import io.sluice.async.StallDetector;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The passes of one owner, so that one that stands still is found, whichever it is.
 *
 * <p>What a step waits for has a time limit of its own, and the wait for a turn is watched by the
 * {@link ExecutionSequencer}; a step that takes longer than {@link BackgroundTask#STUCK_AFTER} all
 * the same is a fault of ours. It is not begun a second time beside itself: the ownership ends, and
 * its successor begins anew under a higher term.
 */
public final class BackgroundTasks {
  private final Ownership ownership;
  private final List<BackgroundTask> all = new ArrayList<>();

  public BackgroundTasks(Ownership ownership) {
    this.ownership = ownership;
  }

  public BackgroundTask make(String name, Supplier<Future<Boolean>> step) {
    BackgroundTask pass = new BackgroundTask(name, ownership::about, step);
    all.add(pass);
    return pass;
  }

  /** A timer's call, each {@link StallDetector#TICK}, unless they may be waiting for a turn. */
  public void tick() {
    for (BackgroundTask pass : all) {
      if (pass.isStuck()) {
        ownership.lose();
        return;
      }
    }
  }
}
