package io.sluice.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.async.Poll;
import io.sluice.orderlog.Event;
import io.sluice.orderlog.EventPages.Found;
import io.sluice.orderlog.EventPages.Found.Gone;
import io.sluice.orderlog.EventPages.Found.Page;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventWaitsTest {
  private static final Duration WAIT = Duration.ofSeconds(12);
  private static final Page EMPTY = new Page(List.of(), "1", false);
  private static final Page FULL = new Page(List.of("{}"), "2", false);

  private record Timer(long dueNanos, Promise<Void> fired) {}

  private long nanos = Long.MAX_VALUE - 1;
  private final List<Timer> timers = new ArrayList<>();
  private final List<String> looks = new ArrayList<>();
  private Future<Found> found = Future.succeededFuture(EMPTY);
  private final Promise<Void> left = Promise.promise();
  private final EventWaits unit =
      new EventWaits(
          (after, limit, heartbeats) -> {
            looks.add(after);
            return found;
          },
          true,
          new Poll(
              delay -> {
                Timer timer = new Timer(nanos + delay.toNanos(), Promise.promise());
                timers.add(timer);
                return timer.fired().future();
              },
              () -> nanos));

  private Future<Found> ask() {
    return unit.after("0", 10, false, WAIT, left.future());
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
    List<Timer> due = timers.stream().filter(timer -> timer.dueNanos() - nanos <= 0).toList();
    timers.removeAll(due);
    due.forEach(timer -> timer.fired().tryComplete());
  }

  private void hear(String type) {
    unit.heard(0, new Event(type, "key", "{}"));
    pass(EventWaits.GATHER);
  }

  @Test
  void shouldAnswerAtOnceWhenThereIsAnEvent() {
    // given
    found = Future.succeededFuture(FULL);

    // when
    Future<Found> answer = ask();

    // then
    assertThat(answer.result()).isEqualTo(FULL);
  }

  @Test
  void shouldAnswerAtOnceWhenEventsAreGone() {
    // given
    found = Future.succeededFuture(new Gone(1, 2));

    // when
    Future<Found> answer = ask();

    // then
    assertThat(answer.result()).isEqualTo(new Gone(1, 2));
  }

  @Test
  void shouldLookFromWhereItIsWhenAnEventIsHeard() {
    // given
    Future<Found> answer = ask();
    found = Future.succeededFuture(FULL);

    // when
    hear("ORDER_BOOKED");

    // then
    assertThat(answer.result()).isEqualTo(FULL);
    assertThat(looks).containsExactly("0", "1");
  }

  /** The look began before the event came. */
  @Test
  void shouldLookAgainWhenAnEventIsHeardDuringTheLook() {
    // given
    Promise<Found> slow = Promise.promise();
    found = slow.future();
    Future<Found> answer = ask();
    hear("ORDER_BOOKED");
    found = Future.succeededFuture(FULL);

    // when
    slow.complete(EMPTY);
    pass(EventWaits.GATHER);

    // then
    assertThat(answer.result()).isEqualTo(FULL);
  }

  @Test
  void shouldWaitOnWhenAHeartbeatIsHeard() {
    // given
    Future<Found> answer = ask();
    found = Future.succeededFuture(FULL);

    // when
    hear(Event.HEARTBEAT);

    // then
    assertThat(answer.isComplete()).isFalse();
  }

  @Test
  void shouldLookNowAndThenThoughNothingIsHeard() {
    // given
    Future<Found> answer = ask();
    found = Future.succeededFuture(FULL);

    // when
    pass(EventWaits.LOOK_EVERY);

    // then
    assertThat(answer.result()).isEqualTo(FULL);
  }

  @Test
  void shouldReadOnWhenThereIsMoreButNothingToShow() {
    // given
    Promise<Found> second = Promise.promise();
    found = Future.succeededFuture(new Page(List.of(), "5", true));
    List<Future<Found>> next = List.of(second.future());

    // when
    Future<Found> answer =
        new EventWaits(
                (after, limit, heartbeats) -> {
                  looks.add(after);
                  return looks.size() == 1 ? found : next.get(0);
                },
                true,
                new Poll(delay -> Future.future(never -> {}), () -> nanos))
            .after("0", 10, false, WAIT, left.future());
    second.complete(FULL);

    // then
    assertThat(looks).containsExactly("0", "5");
    assertThat(answer.result()).isEqualTo(FULL);
  }

  @Test
  void shouldAnswerThatThereIsNothingWhenTheTimeIsUp() {
    // given
    Future<Found> answer = ask();

    // when
    for (int i = 0; i < 3; i++) {
      pass(EventWaits.LOOK_EVERY);
    }

    // then
    assertThat(answer.result()).isEqualTo(EMPTY);
  }

  @Test
  void shouldEndWhenTheListenerHasLeft() {
    // given
    Future<Found> answer = ask();

    // when
    left.complete();

    // then
    assertThat(answer.isComplete()).isTrue();
  }

  @Test
  void shouldAnswerAllWhenItIsClosed() {
    // given
    Future<Found> before = ask();

    // when
    unit.close();
    pass(EventWaits.GATHER);
    Future<Found> after = ask();

    // then
    assertThat(List.of(before.result(), after.result())).containsOnly(EMPTY);
  }

  @Test
  void shouldFailWhenALookDoes() {
    // given
    Future<Found> answer = ask();
    found = Future.failedFuture("away");

    // when
    hear("ORDER_BOOKED");

    // then
    assertThat(answer.cause()).hasMessage("away");
  }
}
