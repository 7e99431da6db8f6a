package io.sluice.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What comes while calls are in flight goes out together in the next. */
class BatcherTest {
  private static final int MANY = 100_000;

  private final List<List<Integer>> sent = new ArrayList<>();
  private final List<Promise<Void>> calls = new ArrayList<>();

  /**
   * Limits: calls, items, weight, calls when batches are full. Items, each as heavy as its number;
   * how many calls end; what is sent; and the weight that waits.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // At once while a call is free.
        "2 10 10 2 | 1 2 3 | 0 | [[1], [2]] | 3",
        // Together what came meanwhile, as far as the items, or the weight, allow.
        "1 2 100 1 | 1 2 3 4 | 1 | [[1], [2, 3]] | 4",
        "1 10 5 1 | 1 2 3 1 | 1 | [[1], [2, 3]] | 1",
        // Alone what is too heavy.
        "1 10 5 1 | 1 7 1 | 2 | [[1], [7], [1]] | 0",
        // At once what has just the weight of a full batch.
        "1 10 4 2 | 1 3 1 | 0 | [[1], [3, 1]] | 0",
      })
  void shouldSendWhatIsDue(String limits, String items, int ended, String expected, int waiting) {
    // given
    int[] max = Stream.of(limits.split(" ")).mapToInt(Integer::parseInt).toArray();
    Batcher<Integer> unit = batcher(new Batcher.Limits(max[0], max[1], max[2], max[3]));

    // when
    Stream.of(items.split(" ")).map(Integer::valueOf).forEach(unit::add);
    for (int call = 0; call < ended; call++) {
      calls.get(call).complete();
    }

    // then
    assertThat(sent).hasToString(expected);
    assertThat(unit.waitingWeight()).isEqualTo(waiting);
  }

  @Test
  void shouldSendAFullBatchBesideOneInFlightButNoMoreThanItsLimit() {
    // given
    Batcher<Integer> unit = batcher(new Batcher.Limits(1, 2, 100, 2));

    // when
    List.of(1, 2, 3, 4, 5).forEach(unit::add);

    // then
    assertThat(sent).containsExactly(List.of(1), List.of(2, 3));

    // when
    calls.get(1).complete();

    // then
    assertThat(sent).containsExactly(List.of(1), List.of(2, 3), List.of(4, 5));
  }

  @Test
  void shouldLetTheRestOfABatchWaitUntilFewAreInFlight() {
    // given
    Batcher<Integer> unit = batcher(new Batcher.Limits(1, 10, 4, 3));
    List.of(1, 2, 2, 1).forEach(unit::add);

    // when
    calls.get(1).complete();

    // then
    assertThat(sent).containsExactly(List.of(1), List.of(2, 2));
    assertThat(unit.canSend()).isFalse();

    // when
    calls.get(0).complete();

    // then
    assertThat(sent).containsExactly(List.of(1), List.of(2, 2), List.of(1));
  }

  @Test
  void shouldGoOnWhenACallFailsOrThrows() {
    // given
    Batcher<Integer> unit =
        new Batcher<>(
            Batcher.Limits.ofItems(1, 1),
            items -> {
              sent.add(items);
              if (items.contains(1)) {
                throw new IllegalStateException("thrown");
              }
              return Future.failedFuture("failed");
            });

    // when
    List.of(1, 2, 3).forEach(unit::add);

    // then
    assertThat(sent).containsExactly(List.of(1), List.of(2), List.of(3));
    assertThat(unit.isIdle()).isTrue();
  }

  @Test
  void shouldNotOverflowTheStackWhenEachCallCompletesAtOnce() {
    // given
    Batcher<Integer> unit =
        new Batcher<>(
            Batcher.Limits.ofItems(1, 1),
            items -> {
              sent.add(items);
              return Future.succeededFuture();
            });
    IntStream.range(0, MANY).forEach(unit::queue);

    // when
    unit.sendNext();

    // then
    assertThat(sent).hasSize(MANY);
  }

  @Test
  void shouldHoldBackWhatIsOnlyQueued() {
    // given
    Batcher<Integer> unit = batcher(Batcher.Limits.ofItems(1, 10));
    List.of(1, 2).forEach(unit::queue);
    int early = sent.size();

    // when
    unit.sendNext();

    // then
    assertThat(early).isZero();
    assertThat(sent).containsExactly(List.of(1, 2));
  }

  @Test
  void shouldSendNothingMoreWhenTheRestIsDrained() {
    // given
    Batcher<Integer> unit = batcher(new Batcher.Limits(1, 10, 10));
    List.of(1, 2, 3).forEach(unit::add);

    // when
    List<Integer> drained = unit.drain();
    calls.get(0).complete();

    // then
    assertThat(drained).containsExactly(2, 3);
    assertThat(sent).hasSize(1);
    assertThat(unit.waitingWeight()).isZero();
    assertThat(unit.isIdle()).isTrue();
  }

  @Test
  void shouldTellOfACompletedCallOnceTheNextIsSent() {
    // given
    List<Integer> sentBefore = new ArrayList<>();
    Batcher<Integer> unit =
        new Batcher<>(
            new Batcher.Limits(1, 10, 10),
            item -> item,
            this::call,
            () -> sentBefore.add(sent.size()));
    List.of(1, 2).forEach(unit::add);

    // when
    calls.get(0).complete();

    // then
    assertThat(sentBefore).containsExactly(2);
  }

  private Batcher<Integer> batcher(Batcher.Limits limits) {
    return new Batcher<>(limits, item -> item, this::call, () -> {});
  }

  private Future<Void> call(List<Integer> items) {
    sent.add(items);
    Promise<Void> call = Promise.promise();
    calls.add(call);
    return call.future();
  }
}
