package io.sluice.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.async.BatchReader.QueueFullException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlotsTest {
  private final List<Promise<String>> calls = new ArrayList<>();
  private final Slots unit = new Slots(2, 3);

  @Test
  void shouldLetOnlySoManyBeUnderWay() {
    // when
    run(5);

    // then
    assertThat(calls).hasSize(2);
  }

  @Test
  void shouldGoOnWithTheNextWhenOneIsAnsweredOrFails() {
    // given
    List<Future<String>> answers = run(5);

    // when
    calls.get(0).complete("one");
    calls.get(1).fail("away");

    // then
    assertThat(calls).hasSize(4);
    assertThat(answers.get(0).result()).isEqualTo("one");
    assertThat(answers.get(1).cause()).hasMessage("away");
  }

  @Test
  void shouldRefuseAtOnceWhenTooManyWait() {
    // given
    List<Future<String>> answers = run(6);

    // when
    Future<String> last = answers.get(5);

    // then
    assertThat(QueueFullException.isWhy(last.cause())).isTrue();
    assertThat(unit.hasRoomFor(1)).isFalse();
    assertThat(answers.subList(0, 5)).noneMatch(Future::isComplete);
  }

  @Test
  void shouldAnswerThousandsThatWaitWhenCallsAreAnsweredAtOnce() {
    // given
    Slots one = new Slots(1, 20_000);
    Promise<String> first = Promise.promise();
    one.run(first::future);
    List<Future<String>> waiting = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      waiting.add(one.run(() -> Future.succeededFuture("now")));
    }

    // when
    first.complete("done");

    // then
    assertThat(waiting).allMatch(Future::succeeded);
  }

  private List<Future<String>> run(int count) {
    List<Future<String>> answers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      answers.add(
          unit.run(
              () -> {
                Promise<String> call = Promise.promise();
                calls.add(call);
                return call.future();
              }));
    }
    return answers;
  }
}
