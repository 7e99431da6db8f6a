package io.sluice.owner;

import io.sluice.async.AsyncLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets one asynchronous piece of work begin only when the one before it has ended, in order of
 * asking; however many wait.
 *
 * <p>Each call of a store has a time limit of its own, so a turn that neither ends nor goes on for
 * {@link #STUCK_AFTER} is a fault of ours, and all else of the partition stands still behind it.
 * Nothing may begin beside it: what it has begun might still be written. So the ownership ends
 * instead. The successor raises the term, which shuts the stuck work out of ledger and Redis, and
 * begins with turns of its own.
 */
final class Turns {
  static final Duration STUCK_AFTER = Duration.ofSeconds(60);

  /** A turn that goes on is only told of: the longest load takes as long as it takes. */
  static final Duration TOLD_EVERY = Duration.ofSeconds(60);

  private static final Logger log = LoggerFactory.getLogger(Turns.class);

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

  private final Ownership ownership;
  private final Queue<Turn<?>> waiting = new ArrayDeque<>();
  private final Patience progress = new Patience(STUCK_AFTER);
  private final Patience whole = new Patience(TOLD_EVERY);
  private @Nullable Turn<?> current;
  private boolean running;
  private boolean ended;

  Turns(Ownership ownership) {
    this.ownership = ownership;
  }

  /** {@code what} names the work to an operator. */
  <T> Future<T> take(String what, Supplier<Future<T>> work) {
    if (ended) {
      return Future.failedFuture(new FenceLostException(ownership.partition()));
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
  void progressed() {
    progress.restart();
  }

  /** Whether work waits for the turn under way. */
  boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  /** A timer's call, each {@link Patience#TICK}. */
  void tick() {
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
    FenceLostException cause = ownership.lose();
    Queue<Turn<?>> left = new ArrayDeque<>(waiting);
    waiting.clear();
    left.forEach(one -> one.answer().fail(cause));
  }

  private void tell(Turn<?> turn, String alarm) {
    log.atError()
        .addKeyValue("partition", ownership.partition())
        .addKeyValue("turn", turn.what())
        .addKeyValue("seconds", whole.seconds())
        .addKeyValue("waiting", waiting.size())
        .log(alarm);
  }
}
