package io.sluice.async;

import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Questions of many callers that one call answers, one call at a time: those who ask within a short
 * time, or while a call is under way, share the next one. So each answer is of a time after its
 * caller asked. Thread-safe; callers are answered on their own contexts.
 *
 * @param <Q> what a caller asks for
 */
public final class SharedQuestion<Q, A> {
  private record Asker<Q, A>(Q question, Promise<A> answer, @Nullable Context home) {
    void tell(AsyncResult<A> answered) {
      if (home == null || home == Vertx.currentContext()) {
        answer.handle(answered);
      } else {
        home.runOnContext(now -> answer.handle(answered));
      }
    }
  }

  private final Function<List<Q>, Future<List<A>>> call;
  private final int gatherMs;

  // Guarded by this.
  private List<Asker<Q, A>> waiting = new ArrayList<>();
  private boolean underWay;
  private @Nullable Context own;

  /**
   * @param call answers questions in their order; has a time limit of its own
   * @param gatherMs how long the first caller waits for others; if it has no context, not at all
   */
  public SharedQuestion(Function<List<Q>, Future<List<A>>> call, int gatherMs) {
    this.call = call;
    this.gatherMs = gatherMs;
  }

  /** A call whose answer is that of all questions. */
  public static <Q, A> Function<List<Q>, Future<List<A>>> same(Supplier<Future<A>> call) {
    return questions -> call.get().map(answer -> Collections.nCopies(questions.size(), answer));
  }

  /** The answer of a call that begins after this one. */
  public Future<A> ask(Q question) {
    Asker<Q, A> asker = new Asker<>(question, Promise.promise(), Vertx.currentContext());
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
    List<Asker<Q, A>> asking;
    synchronized (this) {
      asking = waiting;
      waiting = new ArrayList<>();
    }
    List<Q> questions = asking.stream().map(Asker::question).toList();
    Future.succeededFuture()
        .compose(now -> call.apply(questions))
        .onComplete(
            (answers, failure) -> {
              boolean isAsked;
              synchronized (this) {
                isAsked = !waiting.isEmpty();
                underWay = isAsked;
              }
              for (int i = 0; i < asking.size(); i++) {
                asking
                    .get(i)
                    .tell(
                        failure == null
                            ? Future.succeededFuture(answers.get(i))
                            : Future.failedFuture(failure));
              }
              if (isAsked) {
                askForAll();
              }
            });
  }
}
