package io.sluice.async;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ContextDispatcherTest {
  private static final int WAIT_MAX_S = 30;

  private final Vertx vertx = Vertx.vertx();
  private Context home;
  private Context other;
  private ContextDispatcher unit;

  @BeforeEach
  void begin() throws Exception {
    home = newContext();
    other = newContext();
    unit = on(home, () -> ContextDispatcher.here(vertx));
  }

  @AfterEach
  void end() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(WAIT_MAX_S, SECONDS);
  }

  @Test
  void shouldRunAtOnceOnItsOwnContext() throws Exception {
    // when
    List<String> order =
        on(
            home,
            () -> {
              List<String> done = new ArrayList<>();
              unit.run(() -> done.add("task"));
              done.add("caller");
              return List.copyOf(done);
            });

    // then
    assertThat(order).containsExactly("task", "caller");
  }

  @Test
  void shouldRunOnItsOwnContextWhenAnotherAsks() throws Exception {
    // given
    CompletableFuture<Context> ran = new CompletableFuture<>();

    // when
    other.runOnContext(now -> unit.run(() -> ran.complete(Vertx.currentContext())));

    // then
    assertThat(ran.get(WAIT_MAX_S, SECONDS)).isSameAs(home);
  }

  @Test
  void shouldAnswerAtOnceOnItsOwnContext() throws Exception {
    // when
    boolean answered =
        on(home, () -> unit.call(() -> Future.succeededFuture("answer")).isComplete());

    // then
    assertThat(answered).isTrue();
  }

  @Test
  void shouldAnswerOnTheContextOfTheCaller() throws Exception {
    // given
    CompletableFuture<Context> ran = new CompletableFuture<>();
    CompletableFuture<Context> answered = new CompletableFuture<>();
    CompletableFuture<String> answer = new CompletableFuture<>();

    // when
    other.runOnContext(
        now ->
            unit.call(
                    () -> {
                      ran.complete(Vertx.currentContext());
                      return Future.succeededFuture("answer");
                    })
                .onSuccess(
                    result -> {
                      answered.complete(Vertx.currentContext());
                      answer.complete(result);
                    }));

    // then
    assertThat(ran.get(WAIT_MAX_S, SECONDS)).isSameAs(home);
    assertThat(answered.get(WAIT_MAX_S, SECONDS)).isSameAs(other);
    assertThat(answer.get(WAIT_MAX_S, SECONDS)).isEqualTo("answer");
  }

  @Test
  void shouldPassAFailureOn() throws Exception {
    // given
    CompletableFuture<Throwable> failure = new CompletableFuture<>();

    // when
    other.runOnContext(
        now -> unit.call(() -> Future.failedFuture("refused")).onFailure(failure::complete));

    // then
    assertThat(failure.get(WAIT_MAX_S, SECONDS)).hasMessage("refused");
  }

  /** Each thread outside of Vert.x gets a context of its own. */
  private Context newContext() throws Exception {
    CompletableFuture<Context> made = new CompletableFuture<>();
    Thread thread = new Thread(() -> made.complete(vertx.getOrCreateContext()));
    thread.start();
    return made.get(WAIT_MAX_S, SECONDS);
  }

  private static <T> T on(Context context, Supplier<T> task) throws Exception {
    CompletableFuture<T> result = new CompletableFuture<>();
    context.runOnContext(now -> result.complete(task.get()));
    return result.get(WAIT_MAX_S, SECONDS);
  }
}
