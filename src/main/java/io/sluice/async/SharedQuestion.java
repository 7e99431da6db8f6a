package io.sluice.async;

import io.vertx.core.Context;
import io.vertx.core.Future;
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
  private record Asking<Q, A>(Q question, Asker<A> asker) {}

  private final Function<List<Q>, Future<List<A>>> call;
  private final int gatherMs;

  // Guarded by this.
  private List<Asking<Q, A>> waiting = new ArrayList<>();
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
    Asker<A> asker = Asker.here();
    boolean isFirst;
    synchronized (this) {
      waiting.add(new Asking<>(question, asker));
      isFirst = !underWay;
      underWay = true;
    }
    if (isFirst) {
      gather(asker.home());
    }
    return asker.answer();
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

  private static <Q, A> Future<List<A>> oneForEach(List<Q> questions, List<A> answers) {
    return answers.size() == questions.size()
        ? Future.succeededFuture(answers)
        : Future.failedFuture(
            new IllegalStateException(
                "Expected %d answers, but got %d".formatted(questions.size(), answers.size())));
  }

  private void askForAll() {
    List<Asking<Q, A>> asking;
    synchronized (this) {
      asking = waiting;
      waiting = new ArrayList<>();
    }
    List<Q> questions = asking.stream().map(Asking::question).toList();
    Future.succeededFuture()
        .compose(now -> call.apply(questions))
        .compose(answers -> oneForEach(questions, answers))
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
                    .asker()
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
