package io.sluice.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.async.Batcher.KeyedBatcher;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyedBatcherTest {
  private static final int BATCH_MAX = 2;

  private record Call(String key, List<Integer> items, Promise<Void> outcome) {}

  private final List<Call> calls = new ArrayList<>();

  @Test
  void shouldSendEachKeyByItself() {
    // given
    KeyedBatcher<String, Integer> unit = new KeyedBatcher<>(BATCH_MAX, this::send);

    // when
    unit.add("a", 1);
    unit.add("b", 2);
    unit.add("a", 3);

    // then
    assertThat(calls).extracting(Call::key).containsExactly("a", "b");
    assertThat(unit.drain("a")).containsExactly(3);
    assertThat(unit.drain("b")).isEmpty();
    assertThat(unit.drain("c")).isEmpty();
  }

  @Test
  void shouldAddWhatWaitsToABatchOfItsKeyAsFarAsItFits() {
    // given
    KeyedBatcher<String, Integer> unit = new KeyedBatcher<>(BATCH_MAX, this::send);
    unit.add("b", 9);
    List.of(1, 2, 3).forEach(item -> unit.add("a", item));

    // when
    unit.join("a", calls.get(1).items());
    unit.join("c", calls.get(0).items());
    calls.get(1).outcome().complete();

    // then
    assertThat(calls)
        .extracting(Call::items)
        .containsExactly(List.of(9), List.of(1, 2), List.of(3));
    assertThat(unit.drain("a")).isEmpty();
  }

  /** As soon as one call of several has ended, the key still is not idle. */
  @Test
  void shouldSendNoMoreCallsOfAKeyThanItMayWhenOneOfThemHasEnded() {
    // given
    KeyedBatcher<String, Integer> unit = new KeyedBatcher<>(BATCH_MAX, 2, this::send);
    List.of(1, 2, 3).forEach(item -> unit.add("a", item));
    calls.get(1).outcome().complete();

    // when
    unit.add("a", 4);

    // then
    assertThat(calls).extracting(Call::items).containsExactly(List.of(1), List.of(2, 3));
    assertThat(unit.drain("a")).containsExactly(4);
  }

  @Test
  void shouldSendNoMoreThanTheWeightOfACall() {
    // given
    KeyedBatcher<String, Integer> unit =
        new KeyedBatcher<>(new Batcher.Limits(1, 9, 5, 1), item -> item, this::send);
    List.of(1, 3, 2, 4).forEach(item -> unit.add("a", item));

    // when
    calls.get(0).outcome().complete();

    // then
    assertThat(calls).extracting(Call::items).containsExactly(List.of(1), List.of(3, 2));
    assertThat(unit.drain("a")).containsExactly(4);
  }

  @Test
  void shouldKeepNothingOfAKeyWhenItIsIdle() {
    // given
    KeyedBatcher<String, Integer> unit = new KeyedBatcher<>(BATCH_MAX, this::send);
    String first = new String("a".toCharArray());
    String second = new String("a".toCharArray());
    unit.add(first, 1);
    calls.get(0).outcome().complete();

    // when
    unit.add(second, 2);

    // then
    assertThat(calls.get(1).key()).isSameAs(second);
  }

  private Future<Void> send(String key, List<Integer> items) {
    Call call = new Call(key, items, Promise.promise());
    calls.add(call);
    return call.outcome().future();
  }
}
