package io.sluice.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.metrics.ProcessMeters;
import io.sluice.testkit.process.LogWatch;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClockWatchTest {
  private static final long START_MS = 1_000_000;

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final LogWatch log = LogWatch.of(ClockWatch.class);
  private long realMs;
  private long redisAheadMs;
  private long instanceAheadMs;
  private long answerMs;
  private boolean redisDown;

  private final ClockWatch unit =
      new ClockWatch(
          () -> answer(0),
          () -> redisDown ? Future.failedFuture("down") : answer(redisAheadMs).map(List::of),
          () -> START_MS + realMs + instanceAheadMs,
          () -> TimeUnit.MILLISECONDS.toNanos(realMs),
          (part, ms) -> ProcessMeters.clockSkew(registry, part, ms));

  @AfterEach
  void stopListening() {
    log.close();
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1999, -1999", "3600000, 0", "-3600000, 600000", "0, -2000"})
  void shouldShowHowFarTheClocksAreFromTheLedgers(long redisMs, long instanceMs) {
    // given
    redisAheadMs = redisMs;
    instanceAheadMs = instanceMs;

    // when
    unit.look();

    // then
    assertThat(skewMs("redis")).isEqualTo(redisMs);
    assertThat(skewMs("instance")).isEqualTo(instanceMs);
    long alarms = Math.abs(redisMs) >= 2_000 ? 1 : 0;
    alarms += Math.abs(instanceMs) >= 2_000 ? 1 : 0;
    assertThat(log.lines()).filteredOn(line -> line.startsWith("ERROR ")).hasSize((int) alarms);
  }

  @Test
  void shouldAlarmOnceWhileAClockIsWrongAndAgainWhenItIsWrongAgain() {
    // given
    redisAheadMs = -5_000;
    unit.look();
    unit.look();
    redisAheadMs = 0;
    unit.look();

    // when
    redisAheadMs = 5_000;
    unit.look();

    // then
    assertThat(log.lines())
        .filteredOn(line -> line.startsWith("ERROR "))
        .hasSize(2)
        .first()
        .asString()
        .startsWith("ERROR " + Alarm.CLOCK_SKEW.text());
  }

  @Test
  void shouldCountHalfOfTheTimeThatAnAnswerTook() {
    // given
    answerMs = 800;

    // when
    unit.look();

    // then
    assertThat(skewMs("redis")).isZero();
    assertThat(skewMs("instance")).isZero();
  }

  @Test
  void shouldTakeNoAnswerThatTookTooLong() {
    // given
    redisAheadMs = 9_000;
    answerMs = 1_100;

    // when
    unit.look();

    // then
    assertThat(skewMs("redis")).isZero();
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void shouldAnswerForTheLedgerAloneWhenRedisIsAway() {
    // given
    redisDown = true;
    instanceAheadMs = 3_000;

    // when
    Future<Void> looked = unit.look();

    // then
    assertThat(looked.succeeded()).isTrue();
    assertThat(skewMs("instance")).isEqualTo(3_000);
  }

  /** The other clock is read when half of {@code answerMs} has passed, so the estimate is exact. */
  private Future<Long> answer(long aheadMs) {
    realMs += answerMs / 2;
    long read = START_MS + realMs + aheadMs;
    Supplier<Long> late =
        () -> {
          realMs += answerMs - answerMs / 2;
          return read;
        };
    return Future.succeededFuture().map(asked -> late.get());
  }

  private long skewMs(String part) {
    return Math.round(
        1_000 * registry.get("sluice_clock_skew_seconds").tag("part", part).gauge().value());
  }
}
