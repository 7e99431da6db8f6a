package io.sluice.async;

import io.sluice.async.ExecutionSequencer.EndedException;
import io.sluice.monitor.Alarm;
import io.sluice.monitor.Part;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Repeated work that never overlaps itself: if it is woken while it runs, it runs once more. A
 * failure ends the run, and the next wake retries. So each background task has a timer as a safety
 * net, or begins a pause when it fails.
 */
public final class BackgroundTask {
  private static final Logger log = LoggerFactory.getLogger(BackgroundTask.class);

  /** Longer than any time limit of what a step waits for. */
  public static final Duration STUCK_AFTER = Duration.ofSeconds(120);

  private final String name;
  private final UnaryOperator<LoggingEventBuilder> about;
  private final Supplier<Future<Boolean>> step;
  private final LongSupplier nanoTime;
  private boolean running;
  private boolean again;
  private boolean stopped;
  private boolean failing;
  private long failingSinceNanos;
  private boolean told;
  private final StallDetector stall = new StallDetector(STUCK_AFTER);
  private Future<?> current = Future.succeededFuture();

  /** A task whose log events need no further key-values. */
  public BackgroundTask(String name, Supplier<Future<Boolean>> step) {
    this(name, UnaryOperator.identity(), step);
  }

  /**
   * @param name the key-value {@code task} in the log
   * @param about adds key-values to each log event
   * @param step does one bounded piece of work, and returns whether more is due at once
   */
  public BackgroundTask(
      String name, UnaryOperator<LoggingEventBuilder> about, Supplier<Future<Boolean>> step) {
    this(name, about, step, System::nanoTime);
  }

  /**
   * @param nanoTime a monotonic clock
   */
  BackgroundTask(
      String name,
      UnaryOperator<LoggingEventBuilder> about,
      Supplier<Future<Boolean>> step,
      LongSupplier nanoTime) {
    this.name = name;
    this.about = about;
    this.step = step;
    this.nanoTime = nanoTime;
  }

  public void wake() {
    if (stopped) {
      return;
    }
    if (running) {
      again = true;
      return;
    }
    running = true;
    AsyncLoop.whileTrue(this::run);
  }

  /** Runs one step, and another one while more is due or the task was woken meanwhile. */
  private Future<Boolean> run() {
    again = false;
    stall.restart();
    Future<Boolean> run = Future.succeededFuture().compose(now -> step.get());
    current = run;
    return run.transform(
        (more, cause) -> {
          report(cause);
          running = !stopped && (again || (cause == null && more));
          return Future.succeededFuture(running);
        });
  }

  /** The current step is long but makes progress, so it is not stuck. */
  public void progressed() {
    stall.restart();
  }

  /** Called by a timer, each {@link StallDetector#TICK}: whether the current step is stuck. */
  public boolean isStuck() {
    if (!running || !stall.tick()) {
      return false;
    }
    Alarm.BACKGROUND_TASK_STUCK.raise(tell(log.atError()).addKeyValue("seconds", stall.seconds()));
    return true;
  }

  /** Starts no more steps; completes when the one in flight has ended. */
  public Future<Void> stop() {
    stopped = true;
    return current.transform(ended -> Future.succeededFuture());
  }

  private void report(@Nullable Throwable cause) {
    if (cause == null) {
      if (told) {
        tell(log.atInfo()).log("background task works again");
      }
      failing = false;
      told = false;
    } else if (!stopped && !(cause instanceof EndedException)) {
      failed(cause, nanoTime.getAsLong());
    }
  }

  /** Many tasks fail while a part is away, and all for the reason that one alarm tells. */
  private void failed(Throwable cause, long nowNanos) {
    if (!failing) {
      failingSinceNanos = nowNanos;
    }
    failing = true;
    boolean explained = Part.explains(cause, failingSinceNanos, nowNanos);
    if (!told && !explained) {
      tell(log.atWarn())
          .addKeyValue("cause", cause.toString())
          .log("background task failed; retried until it succeeds");
    }
    told |= !explained;
  }

  private LoggingEventBuilder tell(LoggingEventBuilder event) {
    return about.apply(event).addKeyValue("task", name);
  }
}
