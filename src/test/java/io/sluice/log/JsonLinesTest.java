package io.sluice.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.OutputStreamAppender;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.MarkerFactory;
import org.slf4j.event.KeyValuePair;

/** Log lines as JSON: one object a line, with stable keys. */
class JsonLinesTest {
  private static final String OURS = "io.sluice.owner.Booking";

  private final LoggerContext context = new LoggerContext();

  JsonLinesTest() {
    context.setMDCAdapter(new LogbackMDCAdapter());
  }

  private LoggingEvent event(String logger, Level level, String text, Throwable thrown) {
    LoggingEvent event =
        new LoggingEvent(
            JsonLinesTest.class.getName(), context.getLogger(logger), level, text, thrown, null);
    event.setInstant(Instant.parse("2026-11-21T08:00:00.123Z"));
    event.setThreadName("loop-1");
    return event;
  }

  private static String line(LoggingEvent event) {
    return new String(new JsonLines().encode(event), StandardCharsets.UTF_8);
  }

  @Test
  void shouldWriteTheSameKeysInEachLine() {
    // given
    LoggingEvent event = event(OURS, Level.WARN, "bucket cannot be loaded; retried", null);
    event.addKeyValuePair(new KeyValuePair("bucket", "7:0"));
    event.addKeyValuePair(new KeyValuePair("seconds", 3));
    event.addKeyValuePair(new KeyValuePair("cause", null));

    // when
    String line = line(event);

    // then
    assertThat(new JsonObject(line))
        .isEqualTo(
            new JsonObject(
                """
                {"at": "2026-11-21T08:00:00.123Z", "level": "WARN",
                 "event": "bucket-cannot-be-loaded-retried", "text": "bucket cannot be loaded; retried",
                 "logger": "io.sluice.owner.Booking", "thread": "loop-1",
                 "data": {"bucket": "7:0", "seconds": 3, "cause": null}}
                """));
    assertThat(line).endsWith("}\n");
  }

  @Test
  void shouldNameTheTraceAsOpenTelemetryDoes() {
    // given
    LoggingEvent event = event(OURS, Level.ERROR, "request handler failed", null);
    event.addKeyValuePair(new KeyValuePair("trace_id", "4bf92f3577b34da6a3ce929d0e0e4736"));
    LoggingEvent other = event(OURS, Level.ERROR, "request handler failed", null);
    other.addKeyValuePair(new KeyValuePair("call", "place"));
    other.addKeyValuePair(new KeyValuePair("span_id", "00f067aa0ba902b7"));

    // when
    JsonObject line = new JsonObject(line(event));
    JsonObject second = new JsonObject(line(other));

    // then
    assertThat(line.getString("trace_id")).isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
    assertThat(line.fieldNames()).doesNotContain("data", "span_id");
    assertThat(second.getString("span_id")).isEqualTo("00f067aa0ba902b7");
    assertThat(second.getJsonObject("data")).isEqualTo(new JsonObject().put("call", "place"));
  }

  @Test
  void shouldBeOneLineWhateverIsLogged() {
    // given
    LoggingEvent event =
        event(OURS, Level.ERROR, "a\r\nb\u2028", new IllegalStateException("first\nsecond"));
    event.addKeyValuePair(new KeyValuePair("cause", "x\n\"y\"\u0000"));

    // when
    String line = line(event);

    // then
    assertThat(line.strip()).doesNotContain("\n", "\r");
    JsonObject json = new JsonObject(line);
    assertThat(json.getString("text")).isEqualTo("a\r\nb\u2028");
    assertThat(json.getJsonObject("data").getString("cause")).isEqualTo("x\n\"y\"\u0000");
    assertThat(json.getString("exception")).isEqualTo("java.lang.IllegalStateException");
    assertThat(json.getString("stack")).contains("first | second").doesNotContain("\n");
  }

  @ParameterizedTest
  @CsvSource({
    "io.sluice.owner.Booking,Redis connection lost,redis-connection-lost",
    "io.sluice.Retry,'--- (x)',x",
    "operator,change,operator-change",
    "org.apache.kafka.clients.Metadata,anything 17,library",
  })
  void shouldNameTheEvent(String logger, String text, String name) {
    // when
    JsonObject json = new JsonObject(line(event(logger, Level.INFO, text, null)));

    // then
    assertThat(json.getString("event")).isEqualTo(name);
  }

  @Test
  void shouldCutTheNameOfALongTextBetweenWords() {
    // when
    JsonObject json =
        new JsonObject(
            line(
                event(
                    OURS,
                    Level.WARN,
                    "records of no order are left in the ledger's old table, which is kept",
                    null)));

    // then
    assertThat(json.getString("event"))
        .isEqualTo("records-of-no-order-are-left-in-the-ledger-s-old-table-which");
  }

  @Test
  void shouldNameTheEventWithoutItsArguments() {
    // given
    LoggingEvent event =
        new LoggingEvent(
            JsonLinesTest.class.getName(),
            context.getLogger(OURS),
            Level.WARN,
            "bucket {} is away",
            null,
            new Object[] {"7:0"});

    // when
    JsonObject json = new JsonObject(line(event));

    // then
    assertThat(json.getString("event")).isEqualTo("bucket-is-away");
    assertThat(json.getString("text")).isEqualTo("bucket 7:0 is away");
  }

  @Test
  void shouldNameAnAlarmByItsWordAndAMarkedLineByItsMarker() {
    // given
    LoggingEvent alarm = event(OURS, Level.ERROR, "ALARM: ledger gate is full", null);
    alarm.addKeyValuePair(new KeyValuePair("alarm", "gate-full"));
    LoggingEvent setting = event("io.sluice.Main", Level.INFO, "http.port = 8080", null);
    setting.addMarker(MarkerFactory.getMarker("setting"));

    // then
    assertThat(new JsonObject(line(alarm)).getString("event")).isEqualTo("alarm-gate-full");
    assertThat(new JsonObject(line(setting)).getString("event")).isEqualTo("setting");
  }

  @ParameterizedTest
  @CsvSource({
    "Cannot parse invalid connection URI: mysql://sluice:canary@db:3306/sluice",
    "rediss://:canary@redis and mysql://u:can:canary@db",
    "redis://u:p@canary@redis",
  })
  void shouldCutThePasswordOutOfAUri(String text) {
    // given
    LoggingEvent event =
        event(OURS, Level.WARN, "message " + text, new IllegalStateException("thrown " + text));
    event.addKeyValuePair(new KeyValuePair("cause", "value " + text));

    // when
    String line = line(event);

    // then
    assertThat(line).contains("message ", "value ", "thrown ", "***@").doesNotContain("canary");
  }

  /** Operators may give the operator log an appender of its own. */
  @ParameterizedTest
  @CsvSource({"ROOT," + OURS + ",fence-lost", "operator,operator,operator-fence-lost"})
  void shouldTakeThePlaceOfTheTextOnEachAppender(String of, String logger, String name) {
    // given
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
    appender.setContext(context);
    JsonLines before = new JsonLines();
    before.start();
    appender.setEncoder(before);
    appender.setOutputStream(written);
    appender.start();
    context.getLogger(of).addAppender(appender);

    // when
    JsonLines.useForAll(context);
    context.getLogger(logger).atWarn().addKeyValue("partition", 3).log("fence lost");

    // then
    assertThat(appender.getEncoder()).isNotSameAs(before).isInstanceOf(JsonLines.class);
    JsonObject line = new JsonObject(written.toString(StandardCharsets.UTF_8));
    assertThat(line.fieldNames())
        .isEqualTo(Set.of("at", "level", "event", "text", "logger", "thread", "data"));
    assertThat(line.getString("event")).isEqualTo(name);
  }
}
