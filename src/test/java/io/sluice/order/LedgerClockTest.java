package io.sluice.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.ManualLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LedgerClockTest {
  private static final Duration YOUNG = Duration.ofSeconds(2);
  private static final long NOON_MS = 1_800_000_000_000L;

  private final ManualLoop time = new ManualLoop();
  private final List<Promise<Long>> questions = new ArrayList<>();
  private final LedgerClock unit = new LedgerClock(this::ask, time::now);

  @Test
  void shouldTellTheAgeFromAnAnswerOfBefore() {
    // given
    answered(NOON_MS);
    time.advanceMs(999);

    // when
    boolean young = isYoung(NOON_MS - 1_000);
    boolean old = isYoung(NOON_MS - 1_001);

    // then
    assertThat(young).isTrue();
    assertThat(old).isFalse();
  }

  @Test
  void shouldCountFromBeforeTheQuestionWhenTheAnswerIsSlow() {
    // given
    isYoung(NOON_MS);
    time.advanceMs(1_500);
    questions.get(0).complete(NOON_MS);

    // when
    boolean young = isYoung(NOON_MS - 500);

    // then
    assertThat(young).isFalse();
  }

  @Test
  void shouldKnowNothingBeforeTheFirstAnswerOrLongAfterTheLast() {
    // given
    boolean before = isYoung(NOON_MS);
    questions.get(0).complete(NOON_MS);

    // when
    time.advance(LedgerClock.ANSWER_MAX);

    // then
    assertThat(before).isFalse();
    assertThat(isYoung(NOON_MS + LedgerClock.ANSWER_MAX.toMillis())).isFalse();
  }

  @Test
  void shouldNotTrustWhatComesFromTheFutureWhenTheClockWasSetBack() {
    // given
    answered(NOON_MS - 3_600_000);

    // when
    boolean young = isYoung(NOON_MS);

    // then
    assertThat(young).isFalse();
  }

  @Test
  void shouldAskOnceASecondWhileSomebodyWantsToKnow() {
    // given
    answered(NOON_MS);
    isYoung(NOON_MS);
    time.advanceMs(1_000);

    // when
    isYoung(NOON_MS);
    isYoung(NOON_MS);

    // then
    assertThat(questions).hasSize(2);
  }

  private void answered(long ledgerMs) {
    isYoung(0);
    questions.get(questions.size() - 1).complete(ledgerMs);
  }

  private boolean isYoung(long madeAtMs) {
    return unit.isYounger(madeAtMs, YOUNG);
  }

  private Future<Long> ask() {
    Promise<Long> question = Promise.promise();
    questions.add(question);
    return question.future();
  }

  @ParameterizedTest
  @CsvSource({"100, true", "101, false", "-1999, true", "-2000, false"})
  void shouldAllowForClocksThatDifferALittle(long madeAfterNowMs, boolean young) {
    // given
    answered(NOON_MS);

    // when
    boolean is = isYoung(NOON_MS + madeAfterNowMs);

    // then
    assertThat(is).isEqualTo(young);
  }
}
