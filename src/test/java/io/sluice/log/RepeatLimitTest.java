package io.sluice.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.core.spi.FilterReply;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class RepeatLimitTest {
  private static final String OURS = "io.sluice.owner.Booking";
  private static final long START_MS = 1_795_248_000_000L;

  private final LoggerContext context = new LoggerContext();
  private final RepeatLimit limit = new RepeatLimit();
  private long nowMs = START_MS;

  private LoggingEvent event(String logger, Level level, String text) {
    LoggingEvent event =
        new LoggingEvent(
            RepeatLimitTest.class.getName(), context.getLogger(logger), level, text, null, null);
    event.setInstant(Instant.ofEpochMilli(nowMs));
    return event;
  }

  private boolean isWritten(String text) {
    return limit.decide(event(OURS, Level.WARN, text)) != FilterReply.DENY;
  }

  private int written(String text, int lines) {
    int written = 0;
    for (int i = 0; i < lines; i++) {
      written += isWritten(text) ? 1 : 0;
    }
    return written;
  }

  @Test
  void shouldLeaveOutLinesOfATextWhenThereAreTooMany() {
    // when
    int written = written("away", RepeatLimit.LINES_MAX + 100);

    // then
    assertThat(written).isEqualTo(RepeatLimit.LINES_MAX);
    assertThat(isWritten("another")).isTrue();
  }

  @Test
  void shouldSayHowManyWereLeftOutWhenTheWindowIsOver() {
    // given
    written("away", RepeatLimit.LINES_MAX + 7);
    nowMs += RepeatLimit.WINDOW.toMillis();
    LoggingEvent next = event(OURS, Level.WARN, "away");
    LoggingEvent afterNext = event(OURS, Level.WARN, "away");

    // when
    limit.decide(next);
    limit.decide(afterNext);

    // then
    assertThat(next.getKeyValuePairs())
        .singleElement()
        .satisfies(
            pair -> {
              assertThat(pair.key).isEqualTo("leftOut");
              assertThat(pair.value).isEqualTo(7L);
            });
    assertThat(afterNext.getKeyValuePairs()).isNullOrEmpty();
  }

  /** Libraries have one text for all exceptions that nobody handles. */
  @Test
  void shouldWriteAnotherExceptionUnderATextOfWhichThereAreTooMany() {
    // given
    for (int i = 0; i <= RepeatLimit.LINES_MAX; i++) {
      limit.decide(thrown(new IllegalStateException("closed")));
    }

    // then
    assertThat(limit.decide(thrown(new IllegalStateException("closed"))))
        .isEqualTo(FilterReply.DENY);
    assertThat(limit.decide(thrown(new NullPointerException()))).isEqualTo(FilterReply.NEUTRAL);
  }

  private LoggingEvent thrown(Throwable cause) {
    LoggingEvent event = event("io.vertx.core", Level.ERROR, "Unhandled exception");
    event.setThrowableProxy(new ThrowableProxy(cause));
    return event;
  }

  @Test
  void shouldWriteAgainWhenTheClockIsSetBack() {
    // given
    written("away", RepeatLimit.LINES_MAX + 1);
    nowMs -= 3_600_000;

    // then
    assertThat(isWritten("away")).isTrue();
  }

  @Test
  void shouldLeaveOutNoLineOfAnOperator() {
    for (int i = 0; i < 10 * RepeatLimit.LINES_MAX; i++) {
      assertThat(limit.decide(event("operator", Level.INFO, "change")))
          .isEqualTo(FilterReply.NEUTRAL);
    }
  }

  @Test
  void shouldLeaveOutNoAlarm() {
    for (int i = 0; i < 10 * RepeatLimit.LINES_MAX; i++) {
      LoggingEvent alarm = event(OURS, Level.ERROR, "ALARM: ledger gate is full");
      alarm.addKeyValuePair(new KeyValuePair("alarm", "gate-full"));
      assertThat(limit.decide(alarm)).isEqualTo(FilterReply.NEUTRAL);
    }
  }

  @Test
  void shouldForgetTheTextThatWasNotSeenForLongestWhenThereAreMany() {
    // given
    written("first", RepeatLimit.LINES_MAX);

    // when
    for (int i = 0; i < RepeatLimit.TEXTS_MAX; i++) {
      isWritten("text " + i);
    }

    // then
    assertThat(isWritten("first")).isTrue();
  }
}
