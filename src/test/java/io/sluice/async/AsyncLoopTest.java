package io.sluice.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AsyncLoopTest {
  private static final int MANY = 200_000;

  @Test
  void shouldRunAnyNumberOfRoundsWhenEachCompletesAtOnce() {
    // given
    AtomicInteger rounds = new AtomicInteger();

    // when
    Future<Void> ended =
        AsyncLoop.whileTrue(() -> Future.succeededFuture(rounds.incrementAndGet() < MANY));

    // then
    assertThat(ended.succeeded()).isTrue();
    assertThat(rounds).hasValue(MANY);
  }

  @Test
  void shouldRunAnyNumberOfRoundsWhenEachCompletesLater() {
    // given
    List<Promise<Void>> open = new ArrayList<>();
    Future<Void> ended =
        AsyncLoop.forEach(
            IntStream.range(0, MANY).boxed().toList(),
            item -> {
              Promise<Void> round = Promise.promise();
              open.add(round);
              return round.future();
            });

    // when
    for (int i = 0; i < open.size(); i++) {
      open.get(i).complete();
    }

    // then
    assertThat(open).hasSize(MANY);
    assertThat(ended.succeeded()).isTrue();
  }

  /**
   * Each round must start the next one, also where its end is seen on another thread, too late for
   * the loop that started it.
   */
  @Test
  void shouldBeginEachRoundWhenRoundsEndOnOtherThreads() throws Exception {
    // given
    ExecutorService other = Executors.newFixedThreadPool(2);
    AtomicInteger rounds = new AtomicInteger();
    CountDownLatch ended = new CountDownLatch(1);

    // when
    AsyncLoop.whileTrue(
            () -> {
              Promise<Boolean> round = Promise.promise();
              other.execute(() -> round.complete(rounds.incrementAndGet() < MANY));
              return round.future();
            })
        .onComplete(done -> ended.countDown());

    // then
    assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(rounds).hasValue(MANY);
    other.shutdown();
  }

  @Test
  void shouldGiveWhatAStepFinds() {
    // given
    AtomicInteger rounds = new AtomicInteger();

    // when
    Future<Integer> found =
        AsyncLoop.untilPresent(
            () ->
                Future.succeededFuture(
                    Optional.of(rounds.incrementAndGet()).filter(round -> round == MANY)));

    // then
    assertThat(found.result()).isEqualTo(MANY);
  }

  @Test
  void shouldFailWithTheFirstFailureAndBeginNoFurtherRound() {
    // given
    List<Integer> begun = new ArrayList<>();

    // when
    Future<Void> ended =
        AsyncLoop.forEach(
            List.of(1, 2, 3),
            item -> {
              begun.add(item);
              return item == 2
                  ? Future.failedFuture(new IllegalStateException("second"))
                  : Future.succeededFuture();
            });

    // then
    assertThat(ended.cause()).hasMessage("second");
    assertThat(begun).containsExactly(1, 2);
  }

  @Test
  void shouldFailWhenAStepThrows() {
    // when
    Future<Void> ended =
        AsyncLoop.forEach(
            List.of(1),
            item -> {
              throw new IllegalArgumentException("thrown");
            });

    // then
    assertThat(ended.cause()).hasMessage("thrown");
  }

  @Test
  void shouldBeginEachRoundOnlyAfterTheOneBefore() {
    // given
    Promise<Void> first = Promise.promise();
    List<Integer> begun = new ArrayList<>();
    Future<Void> ended =
        AsyncLoop.forEach(
            List.of(1, 2),
            item -> {
              begun.add(item);
              return item == 1 ? first.future() : Future.succeededFuture();
            });

    // when
    List<Integer> begunBefore = List.copyOf(begun);
    first.complete();

    // then
    assertThat(begunBefore).containsExactly(1);
    assertThat(begun).containsExactly(1, 2);
    assertThat(ended.succeeded()).isTrue();
  }
}
