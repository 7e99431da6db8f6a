package io.sluice.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SharedQuestionTest {
  private static final int GATHER_MS = 1;

  private final List<Promise<String>> asked = new ArrayList<>();
  private final List<Promise<List<String>>> calls = new ArrayList<>();
  private final SharedQuestion<String, String> unit =
      new SharedQuestion<>(
          SharedQuestion.same(
              () -> {
                Promise<String> answer = Promise.promise();
                asked.add(answer);
                return answer.future();
              }),
          GATHER_MS);

  @Test
  void shouldAskOnceForAllWhoAskMeanwhile() {
    // given
    Future<String> first = unit.ask("?");
    Future<String> second = unit.ask("?");
    Future<String> third = unit.ask("?");

    // when
    asked.get(0).complete("one");
    asked.get(1).complete("two");

    // then
    assertThat(asked).hasSize(2);
    assertThat(first.result()).isEqualTo("one");
    assertThat(List.of(second.result(), third.result())).containsOnly("two");
  }

  @Test
  void shouldFailForAllAndAskAgainWhenAnAnswerIsMissing() {
    // given
    SharedQuestion<Integer, String> each = new SharedQuestion<>(questions -> call(), GATHER_MS);
    Future<String> first = each.ask(1);
    Future<String> second = each.ask(2);

    // when
    calls.get(0).complete(List.of());
    calls.get(1).complete(List.of("to 2"));

    // then
    assertThat(first.cause()).hasMessageContaining("Expected 1 answers, but got 0");
    assertThat(second.result()).isEqualTo("to 2");
  }

  @Test
  void shouldGiveEachTheAnswerToItsQuestion() {
    // given
    SharedQuestion<Integer, String> each =
        new SharedQuestion<>(
            questions ->
                call().map(done -> questions.stream().map(question -> "to " + question).toList()),
            GATHER_MS);
    each.ask(1);
    Future<String> second = each.ask(2);
    Future<String> third = each.ask(3);

    // when
    calls.get(0).complete(List.of());
    calls.get(1).complete(List.of());

    // then
    assertThat(calls).hasSize(2);
    assertThat(second.result()).isEqualTo("to 2");
    assertThat(third.result()).isEqualTo("to 3");
  }

  /** The answer must be of a time after the question. */
  @Test
  void shouldNotGiveAnAnswerToWhoAsksAfterItsQuestion() {
    // given
    unit.ask("?");
    Future<String> later = unit.ask("?");

    // when
    asked.get(0).complete("one");

    // then
    assertThat(later.isComplete()).isFalse();
  }

  @Test
  void shouldFailThoseOfAFailedQuestionAlone() {
    // given
    Future<String> first = unit.ask("?");
    Future<String> second = unit.ask("?");

    // when
    asked.get(0).fail("away");
    asked.get(1).complete("two");

    // then
    assertThat(first.failed()).isTrue();
    assertThat(second.result()).isEqualTo("two");
  }

  @Test
  void shouldAskAgainWhenAskingThrows() {
    // given
    List<String> answers = new ArrayList<>();
    SharedQuestion<String, String> thrower =
        new SharedQuestion<>(
            questions -> {
              answers.add("asked");
              throw new IllegalStateException("closed");
            },
            GATHER_MS);

    // when
    Future<String> first = thrower.ask("?");
    Future<String> second = thrower.ask("?");

    // then
    assertThat(first.failed()).isTrue();
    assertThat(second.failed()).isTrue();
    assertThat(answers).hasSize(2);
  }

  @Test
  void shouldAskOnceForThoseWhoAskTogetherAndAnswerEachOnItsOwnContext() throws Exception {
    // given
    Vertx vertx = Vertx.vertx();
    SharedQuestion<String, String> gathering =
        new SharedQuestion<>(
            SharedQuestion.same(
                () -> {
                  asked.add(Promise.promise());
                  return Future.succeededFuture("all");
                }),
            500);
    try {
      // when
      List<CompletableFuture<Boolean>> answered = new ArrayList<>();
      for (int caller = 0; caller < 4; caller++) {
        answered.add(askOn(((VertxInternal) vertx).createEventLoopContext(), gathering));
      }

      // then
      for (CompletableFuture<Boolean> onItsOwn : answered) {
        assertThat(onItsOwn.get(10, TimeUnit.SECONDS)).isTrue();
      }
      assertThat(asked).hasSize(1);
    } finally {
      vertx.close();
    }
  }

  /** Its timers end with it. */
  @Test
  void shouldAnswerTheOthersWhenTheVerticleOfTheFirstIsGone() throws Exception {
    // given
    Vertx vertx = Vertx.vertx();
    SharedQuestion<String, String> gathering =
        new SharedQuestion<>(SharedQuestion.same(() -> Future.succeededFuture("all")), 500);
    try {
      String first =
          vertx
              .deployVerticle(new Asking(gathering))
              .toCompletionStage()
              .toCompletableFuture()
              .get(10, TimeUnit.SECONDS);

      // when
      CompletableFuture<Boolean> other = askOn(vertx.getOrCreateContext(), gathering);
      vertx.undeploy(first).toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);

      // then
      assertThat(other.get(10, TimeUnit.SECONDS)).isTrue();
    } finally {
      vertx.close();
    }
  }

  private static final class Asking extends VerticleBase {
    private final SharedQuestion<String, String> unit;

    private Asking(SharedQuestion<String, String> unit) {
      this.unit = unit;
    }

    @Override
    public Future<?> start() {
      unit.ask("?");
      return Future.succeededFuture();
    }
  }

  /** Completes when it is answered, with whether that is on the same context. */
  private static CompletableFuture<Boolean> askOn(
      Context context, SharedQuestion<String, String> unit) {
    CompletableFuture<Boolean> answered = new CompletableFuture<>();
    context.runOnContext(
        now ->
            unit.ask("?").onComplete(any -> answered.complete(Vertx.currentContext() == context)));
    return answered;
  }

  private Future<List<String>> call() {
    calls.add(Promise.promise());
    return calls.get(calls.size() - 1).future();
  }
}
