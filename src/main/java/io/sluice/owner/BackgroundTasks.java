package io.sluice.owner;

import io.sluice.async.BackgroundTask;
import io.sluice.async.ExecutionSequencer;
import io.sluice.async.StallDetector;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The background tasks of one owner, or of what runs without one: watched together so that a stuck
 * one is found, and stopped together.
 *
 * <p>Whatever a step waits for has a time limit of its own, and the wait for the {@link
 * ExecutionSequencer} is watched there. So a step that still takes longer than {@link
 * BackgroundTask#STUCK_AFTER} is a defect of this program. It is not started a second time in
 * parallel: the ownership ends, and the successor starts again under a higher term.
 */
public final class BackgroundTasks {
  private final UnaryOperator<LoggingEventBuilder> about;
  private final Runnable onStuck;
  private final List<BackgroundTask> all = new ArrayList<>();

  /**
   * @param about adds key-values to each log event
   * @param onStuck called when a task is found stuck
   */
  public BackgroundTasks(UnaryOperator<LoggingEventBuilder> about, Runnable onStuck) {
    this.about = about;
    this.onStuck = onStuck;
  }

  /** Of nothing that waits for them: a stuck one is only reported. */
  public BackgroundTasks() {
    this(UnaryOperator.identity(), () -> {});
  }

  /** As {@link BackgroundTask#BackgroundTask(String, UnaryOperator, Supplier)}. */
  public BackgroundTask make(String name, Supplier<Future<Boolean>> step) {
    BackgroundTask task = new BackgroundTask(name, about, step);
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
        onStuck.run();
      }
    }
  }

  /** Starts no more steps; completes when none is in flight. */
  public Future<Void> stop() {
    return Future.join(all.stream().map(BackgroundTask::stop).toList()).mapEmpty();
  }
}
