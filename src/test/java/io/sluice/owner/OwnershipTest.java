package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Fence;
import io.sluice.monitor.Alarm;
import io.sluice.owner.Ownership.FenceLostException;
import io.sluice.testkit.process.LogWatch;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OwnershipTest {
  private static final int PARTITION = 3;

  private final AtomicInteger lost = new AtomicInteger();
  private final KnownFences known = new KnownFences();
  private final Ownership unit =
      new Ownership(new Fence(PARTITION, 7, 100), known, lost::incrementAndGet);

  @Test
  void shouldCompleteAtOnceWhenTheLogIsBookedSoFar() {
    // when
    Future<Void> booked = unit.bookedSoon(100);

    // then
    assertThat(booked.succeeded()).isTrue();
  }

  @Test
  void shouldCompleteOnlyWhenTheOffsetIsReached() {
    // given
    Future<Void> booked = unit.bookedSoon(110);

    // when
    unit.advanced(109);
    boolean early = booked.isComplete();
    unit.advanced(110);

    // then
    assertThat(early).isFalse();
    assertThat(booked.succeeded()).isTrue();
  }

  @Test
  void shouldFailWaitersAndTellOnceWhenTheFenceIsLost() {
    // given
    Future<Void> booked = unit.bookedSoon(110);

    // when
    unit.lose();
    unit.lose();

    // then
    assertThat(booked.cause()).isInstanceOf(FenceLostException.class);
    assertThat(unit.bookedSoon(100).failed()).isTrue();
    assertThat(lost).hasValue(1);
  }

  @Test
  void shouldNotTellWhenGivenUp() {
    // when
    unit.end();
    unit.lose();

    // then
    assertThat(unit.isLost()).isTrue();
    assertThat(lost).hasValue(0);
  }

  @Test
  void shouldForgetWhoGaveUpWhenTheLogStandsStill() {
    // given
    List<Future<Boolean>> answers = new ArrayList<>();

    // when
    for (int i = 0; i < 10_000; i++) {
      Promise<Void> pause = Promise.promise();
      answers.add(unit.bookedSoon(110, pause::future));
      pause.complete();
    }

    // then
    assertThat(unit.isHurried()).isFalse();
    assertThat(answers).allMatch(answer -> answer.succeeded() && !answer.result());
  }

  @Test
  void shouldAnswerYesOnceWhenBookedBeforeThePauseEnds() {
    // given
    Promise<Void> pause = Promise.promise();
    Future<Boolean> answer = unit.bookedSoon(110, pause::future);

    // when
    unit.advanced(110);
    pause.complete();

    // then
    assertThat(answer.result()).isTrue();
    assertThat(unit.isHurried()).isFalse();
  }

  @Test
  void shouldFailTheWaitWithAPauseWhenTheFenceIsLost() {
    // given
    Promise<Void> pause = Promise.promise();
    Future<Boolean> answer = unit.bookedUpTo(110, pause::future);

    // when
    unit.lose();
    pause.complete();

    // then
    assertThat(answer.cause()).isInstanceOf(FenceLostException.class);
  }

  @Test
  void shouldAskForNoPauseWhenTheLogIsBookedSoFar() {
    // when
    Future<Boolean> answer =
        unit.bookedUpTo(
            100,
            () -> {
              throw new AssertionError("a pause was asked for");
            });

    // then
    assertThat(answer.result()).isTrue();
  }

  @Test
  void shouldBeHurriedOnlyWhenACallerCannotWait() {
    // when
    unit.bookedUpTo(110, () -> Promise.<Void>promise().future());
    boolean early = unit.isHurried();
    unit.bookedSoon(110);

    // then
    assertThat(early).isFalse();
    assertThat(unit.isHurried()).isTrue();
  }

  @Test
  void shouldTellItsSuccessorWhatWasCommitted() {
    // given
    unit.advanced(150);

    // when
    Ownership successor = successor(149);

    // then
    assertThat(successor.wentBack()).isTrue();
  }

  /** What it learns after that may be from a ledger that was put back. */
  @Test
  void shouldTellItsSuccessorNothingOnceItIsLost() {
    // given
    unit.lose();
    unit.advanced(150);

    // when
    Ownership successor = successor(149);

    // then
    assertThat(successor.wentBack()).isFalse();
  }

  @Test
  void shouldAlarmOnceAndWarnItsSuccessorWhenRedisSaysThatTheLedgerWentBack() {
    // when
    try (LogWatch logs = LogWatch.of(KnownFences.class)) {
      unit.wentBackFrom(120);
      unit.wentBackFrom(130);

      // then
      assertThat(logs.alarms())
          .singleElement()
          .asString()
          .contains(Alarm.LEDGER_RESTORED.text(), "bookedBefore=\"120\"");
    }
    assertThat(unit.wentBack()).isTrue();
    assertThat(successor(100).wentBack()).isTrue();
  }

  @Test
  void shouldTrustRedisAgainOnceAllIsRebuilt() {
    // given
    unit.wentBackFrom(120);

    // when
    unit.allRebuilt();
    unit.wentBackFrom(120);

    // then
    assertThat(unit.wentBack()).isFalse();
    assertThat(successor(100).wentBack()).isFalse();
  }

  @Test
  void shouldStepDownAndRememberTheTermWhenRedisHasSeenAHigherOne() {
    // when
    FenceLostException cause = unit.outranked(9);

    // then
    assertThat(cause).isNotNull();
    assertThat(unit.isLost()).isTrue();
    assertThat(known.termSeen(PARTITION)).isEqualTo(9);
  }

  private Ownership successor(long nextOffset) {
    return new Ownership(new Fence(PARTITION, 8, nextOffset), known, () -> {});
  }
}
