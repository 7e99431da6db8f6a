package io.sluice.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class TimeLimitTest {

  @Test
  void shouldFailOnTheCallersContextWhenTheWorkBelongsToNone(Vertx vertx) throws Exception {
    // when
    Outcome<String> outcome = limited(vertx, 20, (context, work) -> {});

    // then
    assertThat(outcome.failure()).isInstanceOf(TimeoutException.class).hasMessageContaining("20");
    assertThat(outcome.isOnCallersContext()).isTrue();
  }

  @Test
  void shouldCompleteOnTheCallersContextWhenAnotherThreadEndsTheWork(Vertx vertx) throws Exception {
    // when
    Outcome<String> outcome =
        limited(vertx, 60_000, (context, work) -> new Thread(() -> work.complete("done")).start());

    // then
    assertThat(outcome.value()).isEqualTo("done");
    assertThat(outcome.isOnCallersContext()).isTrue();
  }

  @Test
  void shouldPassOnWhatIsCompleteAtOnce(Vertx vertx) throws Exception {
    // when
    Outcome<String> outcome = limited(vertx, 1, (context, work) -> work.fail("no"));

    // then
    assertThat(outcome.failure()).hasMessage("no");
    assertThat(outcome.isOnCallersContext()).isTrue();
  }

  @Test
  void shouldLimitWorkOfAThreadWithoutContext() {
    // when
    Future<Void> limited = TimeLimit.of(20, Promise.<Void>promise().future());

    // then
    assertThat(limited.otherwiseEmpty().succeeded() || limited.isComplete()).isFalse();
    assertThat(failureOf(limited)).isInstanceOf(TimeoutException.class);
  }

  private record Outcome<T>(T value, Throwable failure, boolean isOnCallersContext) {}

  /** Limits work on a context of its own; the work is ended, if ever, by the ender. */
  private static Outcome<String> limited(
      Vertx vertx, long limitMs, BiConsumer<Context, Promise<String>> ender) throws Exception {
    Context context = vertx.getOrCreateContext();
    Promise<Outcome<String>> seen = Promise.promise();
    context.runOnContext(
        begun -> {
          Promise<String> work = Promise.promise();
          ender.accept(context, work);
          TimeLimit.of(limitMs, work.future())
              .onComplete(
                  (value, failure) ->
                      seen.complete(
                          new Outcome<>(value, failure, Vertx.currentContext() == context)));
        });
    return seen.future().await(10, TimeUnit.SECONDS);
  }

  private static Throwable failureOf(Future<?> future) {
    return future
        .transform(done -> Future.succeededFuture(done.cause()))
        .toCompletionStage()
        .toCompletableFuture()
        .join();
  }
}
