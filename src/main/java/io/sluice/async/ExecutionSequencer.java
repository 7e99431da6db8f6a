package io.sluice.async;

import io.sluice.monitor.Alarm;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Runs asynchronous tasks one at a time, each after the one before has ended, in the order of the
 * calls; their number is not limited.
 *
 * <p>Each call of a store has a time limit of its own. So a task that neither ends nor makes
 * progress for {@link #STUCK_AFTER} is a defect of this program, and blocks all tasks after it. No
 * other task may start in parallel, because the writes of the stuck one may still arrive. So all of
 * the owner's work ends instead.
 */
public final class ExecutionSequencer {
  public static final Duration STUCK_AFTER = Duration.ofSeconds(60);

  /** A task that makes progress is only reported: the longest load takes as long as it takes. */
  static final Duration TOLD_EVERY = Duration.ofSeconds(60);

  private static final Logger log = LoggerFactory.getLogger(ExecutionSequencer.class);

  private record Task<T>(String what, Supplier<Future<T>> work, Promise<T> answer) {
    Future<Void> run() {
      return Future.succeededFuture()
          .compose(now -> work.get())
          .transform(
              done -> {
                answer.handle(done);
                return Future.succeededFuture();
              });
    }
  }

  private final UnaryOperator<LoggingEventBuilder> about;
  private final Supplier<EndedException> onStuck;
  private final Queue<Task<?>> waiting = new ArrayDeque<>();
  private final StallDetector progress = new StallDetector(STUCK_AFTER);
  private final StallDetector whole = new StallDetector(TOLD_EVERY);
  private @Nullable Task<?> current;
  private boolean running;
  private boolean ended;

  /**
   * @param about adds key-values to each log event
   * @param onStuck ends all work of the owner when a task is stuck; idempotent
   */
  public ExecutionSequencer(
      UnaryOperator<LoggingEventBuilder> about, Supplier<EndedException> onStuck) {
    this.about = about;
    this.onStuck = onStuck;
  }

  /**
   * @param what the key-value {@code task} in the log
   */
  public <T> Future<T> take(String what, Supplier<Future<T>> work) {
    if (ended) {
      return Future.failedFuture(onStuck.get());
    }
    Promise<T> answer = Promise.promise();
    waiting.add(new Task<>(what, work, answer));
    if (!running) {
      running = true;
      AsyncLoop.whileTrue(this::next);
    }
    return answer.future();
  }

  private Future<Boolean> next() {
    Task<?> task = waiting.poll();
    current = task;
    if (task == null || ended) {
      running = false;
      return Future.succeededFuture(false);
    }
    progress.restart();
    whole.restart();
    return task.run().map(true);
  }

  /** The current task, if any, is long but makes progress, so it is not stuck. */
  public void progressed() {
    progress.restart();
  }

  /** Whether tasks wait for the current one. */
  public boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  /** Called by a timer, each {@link StallDetector#TICK}. */
  public void tick() {
    Task<?> task = current;
    if (task == null || ended) {
      return;
    }
    boolean isLong = whole.tick();
    if (progress.tick()) {
      stepDown(task);
    } else if (isLong) {
      alarm(task, Alarm.LEDGER_TASK_SLOW);
    }
  }

  private void stepDown(Task<?> task) {
    ended = true;
    alarm(task, Alarm.LEDGER_TASK_STUCK);
    EndedException cause = onStuck.get();
    Queue<Task<?>> left = new ArrayDeque<>(waiting);
    waiting.clear();
    left.forEach(one -> one.answer().fail(cause));
  }

  private void alarm(Task<?> task, Alarm alarm) {
    alarm.raise(
        about
            .apply(log.atError())
            .addKeyValue("task", task.what())
            .addKeyValue("seconds", whole.seconds())
            .addKeyValue("waiting", waiting.size()));
  }

  /** The work was ended on purpose and will not resume. Not a failure, so it is not logged. */
  public abstract static class EndedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    protected EndedException(String message) {
      super(message);
    }
  }
}
