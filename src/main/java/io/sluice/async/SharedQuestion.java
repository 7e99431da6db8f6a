package io.sluice.async;

import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One question of many callers, asked once at a time: those who ask within a short time, or while
 * it is under way, share the next one. So each answer is of a time after its caller asked.
 * Thread-safe; callers are answered on their own contexts.
 */
public final class SharedQuestion<T> {
  private record Asker<T>(Promise<T> answer, @Nullable Context home) {
    void tell(AsyncResult<T> answered) {
      if (home == null || home == Vertx.currentContext()) {
        answer.handle(answered);
      } else {
        home.runOnContext(now -> answer.handle(answered));
      }
    }
  }

  private final Supplier<Future<T>> question;
  private final int gatherMs;

  // Guarded by this.
  private List<Asker<T>> waiting = new ArrayList<>();
  private boolean underWay;
  private @Nullable Context own;

  /**
   * @param question has a time limit of its own
   * @param gatherMs how long the first caller waits for others; if it has no context, not at all
   */
  public SharedQuestion(Supplier<Future<T>> question, int gatherMs) {
    this.question = question;
    this.gatherMs = gatherMs;
  }

  /** The answer to a question that is asked after this call. */
  public Future<T> ask() {
    Asker<T> asker = new Asker<>(Promise.promise(), Vertx.currentContext());
    boolean isFirst;
    synchronized (this) {
      waiting.add(asker);
      isFirst = !underWay;
      underWay = true;
    }
    if (isFirst) {
      gather(asker.home());
    }
    return asker.answer().future();
  }

  /** The timers of a verticle end with it, but the question is that of others as well. */
  private void gather(@Nullable Context home) {
    if (home == null) {
      askForAll();
    } else {
      Vertx vertx = home.owner();
      ownContext(vertx).runOnContext(now -> vertx.setTimer(gatherMs, id -> askForAll()));
    }
  }

  private synchronized Context ownContext(Vertx vertx) {
    if (own == null) {
      own = ((VertxInternal) vertx).createEventLoopContext();
    }
    return own;
  }

  private void askForAll() {
    List<Asker<T>> asking;
    synchronized (this) {
      asking = waiting;
      waiting = new ArrayList<>();
    }
    Future.succeededFuture()
        .compose(now -> question.get())
        .onComplete(
            answered -> {
              boolean isAsked;
              synchronized (this) {
                isAsked = !waiting.isEmpty();
                underWay = isAsked;
              }
              asking.forEach(asker -> asker.tell(answered));
              if (isAsked) {
                askForAll();
              }
            });
  }
}
