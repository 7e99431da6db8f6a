package io.sluice.async;

import static io.sluice.grant.Desk.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchReaderTest {
  private record Call(String lane, List<Integer> keys, Promise<String> reply) {}

  private final List<Call> calls = new ArrayList<>();
  private final BatchReader<String, Integer, String> unit = new BatchReader<>(3, 6, this::read);

  @Test
  void shouldReadAtOnceWhenTheLaneIsIdle() {
    // given
    Future<String> reply = unit.read("a", 1);

    // when
    calls.get(0).reply().complete("one");

    // then
    assertThat(calls.get(0).keys()).containsExactly(1);
    assertThat(answer(reply)).isEqualTo("one");
  }

  @Test
  void shouldNotJoinAReadThatBeganBefore() {
    // given
    unit.read("a", 1);
    Future<String> again = unit.read("a", 1);

    // when
    calls.get(0).reply().complete("old");

    // then
    assertThat(again.isComplete()).isFalse();
    assertThat(calls).hasSize(2);
  }

  @Test
  void shouldAskForAKeyOnceWhenSeveralWaitForIt() {
    // given
    unit.read("a", 1);
    List<Future<String>> waiting = List.of(unit.read("a", 2), unit.read("a", 2));
    calls.get(0).reply().complete("one");

    // when
    calls.get(1).reply().complete("two");

    // then
    assertThat(calls.get(1).keys()).containsExactly(2);
    assertThat(waiting).allSatisfy(each -> assertThat(answer(each)).isEqualTo("two"));
  }

  @Test
  void shouldSplitWhenMoreWaitThanOneReadTakes() {
    // given
    for (int key = 0; key < 5; key++) {
      unit.read("a", key);
    }

    // when
    calls.get(0).reply().complete("first");
    calls.get(1).reply().complete("second");

    // then
    assertThat(calls)
        .extracting(Call::keys)
        .containsExactly(List.of(0), List.of(1, 2, 3), List.of(4));
  }

  @Test
  void shouldReadLanesSideBySide() {
    // given
    unit.read("a", 1);

    // when
    unit.read("b", 1);

    // then
    assertThat(calls).extracting(Call::lane).containsExactly("a", "b");
  }

  @Test
  void shouldFailAtOnceUntilSomeAreAnsweredWhenTooManyWait() {
    // given
    for (int key = 0; key < 6; key++) {
      unit.read("a", key);
    }

    // when
    Future<String> over = unit.read("b", 7);
    int calledMeanwhile = calls.size();
    calls.get(0).reply().complete("first");
    Future<String> next = unit.read("b", 7);

    // then
    assertThat(over.failed()).isTrue();
    assertThat(calledMeanwhile).isEqualTo(1);
    assertThat(next.failed()).isFalse();
  }

  @Test
  void shouldFailItsReadersOnlyAndGoOnWhenAReadFails() {
    // given
    Future<String> first = unit.read("a", 1);
    Future<String> second = unit.read("a", 2);
    calls.get(0).reply().fail("connection closed");

    // when
    calls.get(1).reply().complete("two");

    // then
    assertThat(first.failed()).isTrue();
    assertThat(answer(second)).isEqualTo("two");
  }

  @Test
  void shouldFailItsReadersWhenTheStoreThrows() {
    // given
    BatchReader<String, Integer, String> broken =
        new BatchReader<>(
            3,
            6,
            (lane, keys) -> {
              throw new IllegalStateException("bug");
            });

    // when
    List<Future<String>> replies = List.of(broken.read("a", 1), broken.read("a", 2));

    // then
    assertThat(replies).allMatch(Future::failed);
  }

  private Future<String> read(String lane, List<Integer> keys) {
    Call call = new Call(lane, keys, Promise.promise());
    calls.add(call);
    return call.reply().future();
  }
}
