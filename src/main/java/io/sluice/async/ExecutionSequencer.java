package io.sluice.async;

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
 * Lets one asynchronous piece of work begin only when the one before it has ended, in order of
 * asking; however many wait.
 *
 * <p>Each call of a store has a time limit of its own, so a turn that neither ends nor goes on for
 * {@link #STUCK_AFTER} is a fault of ours, and all else of its owner stands still behind it.
 * Nothing may begin beside it: what it has begun might still be written. So all of the owner's work
 * ends instead.
 */
public final class ExecutionSequencer {
  public static final Duration STUCK_AFTER = Duration.ofSeconds(60);

  /** A turn that goes on is only told of: the longest load takes as long as it takes. */
  static final Duration TOLD_EVERY = Duration.ofSeconds(60);

  private static final Logger log = LoggerFactory.getLogger(ExecutionSequencer.class);

  private record Turn<T>(String what, Supplier<Future<T>> work, Promise<T> answer) {
    Future<Void> run() {
      Future<T> ended;
      try {
        ended = work.get();
      } catch (RuntimeException thrown) {
        ended = Future.failedFuture(thrown);
      }
      return ended.transform(
          done -> {
            answer.handle(done);
            return Future.succeededFuture();
          });
    }
  }

  private final UnaryOperator<LoggingEventBuilder> about;
  private final Supplier<EndedException> onStuck;
  private final Queue<Turn<?>> waiting = new ArrayDeque<>();
  private final StallDetector progress = new StallDetector(STUCK_AFTER);
  private final StallDetector whole = new StallDetector(TOLD_EVERY);
  private @Nullable Turn<?> current;
  private boolean running;
  private boolean ended;

  /**
   * Makes the turns of one owner of work.
   *
   * @param about adds to what is logged whose work it is
   * @param onStuck ends all of that owner's work, where a turn stands still; idempotent
   */
  public ExecutionSequencer(
      UnaryOperator<LoggingEventBuilder> about, Supplier<EndedException> onStuck) {
    this.about = about;
    this.onStuck = onStuck;
  }

  /** {@code what} names the work to an operator. */
  public <T> Future<T> take(String what, Supplier<Future<T>> work) {
    if (ended) {
      return Future.failedFuture(onStuck.get());
    }
    Promise<T> answer = Promise.promise();
    waiting.add(new Turn<>(what, work, answer));
    if (!running) {
      running = true;
      AsyncLoop.whileTrue(this::next);
    }
    return answer.future();
  }

  private Future<Boolean> next() {
    Turn<?> turn = waiting.poll();
    current = turn;
    if (turn == null || ended) {
      running = false;
      return Future.succeededFuture(false);
    }
    progress.restart();
    whole.restart();
    return turn.run().map(true);
  }

  /** The turn under way, if any, goes on: it is long, and not stuck. */
  public void progressed() {
    progress.restart();
  }

  /** Whether work waits for the turn under way. */
  public boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  /** A timer's call, each {@link StallDetector#TICK}. */
  public void tick() {
    Turn<?> turn = current;
    if (turn == null || ended) {
      return;
    }
    boolean isLong = whole.tick();
    if (progress.tick()) {
      standStill(turn);
    } else if (isLong) {
      tell(turn, "ALARM: a turn takes long, and all else of its partition waits for it");
    }
  }

  private void standStill(Turn<?> turn) {
    ended = true;
    tell(turn, "ALARM: a turn stands still; its owner steps down");
    EndedException cause = onStuck.get();
    Queue<Turn<?>> left = new ArrayDeque<>(waiting);
    waiting.clear();
    left.forEach(one -> one.answer().fail(cause));
  }

  private void tell(Turn<?> turn, String alarm) {
    about
        .apply(log.atError())
        .addKeyValue("turn", turn.what())
        .addKeyValue("seconds", whole.seconds())
        .addKeyValue("waiting", waiting.size())
        .log(alarm);
  }
}
