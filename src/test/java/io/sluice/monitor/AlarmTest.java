package io.sluice.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.metrics.ProcessMeters;
import io.sluice.testkit.process.LogWatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An alarm is logged and counted, whoever raises it. */
class AlarmTest {
  private static final String NAME = AlarmTest.class.getName();
  private static final Logger log = LoggerFactory.getLogger(NAME);

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private double counted(Alarm alarm) {
    return registry.get("sluice_alarms").tag("alarm", alarm.word()).functionCounter().count();
  }

  @ParameterizedTest
  @EnumSource
  void shouldLogAndCountWhenRaised(Alarm alarm) {
    // given
    ProcessMeters.alarms(registry);
    double before = counted(alarm);
    List<String> lines;

    // when
    try (LogWatch capture = LogWatch.of(NAME, Level.INFO)) {
      alarm.raise(log.atError().addKeyValue("partition", 3));
      lines = capture.lines();
    }

    // then
    assertThat(counted(alarm)).isEqualTo(before + 1);
    assertThat(lines).hasSize(1);
    assertThat(lines.get(0))
        .startsWith("ERROR ALARM: ")
        .contains(alarm.text(), "partition=\"3\"", "alarm=\"" + alarm.word() + "\"");
  }

  @Test
  void shouldCountAlsoWhereTheLineIsNotWritten() {
    // given
    long before = Alarm.GATE_FULL.raised();

    // when
    try (LogWatch capture = LogWatch.of(NAME, Level.OFF)) {
      Alarm.GATE_FULL.raise(log.atError());
      assertThat(capture.lines()).isEmpty();
    }

    // then
    assertThat(Alarm.GATE_FULL.raised()).isEqualTo(before + 1);
  }

  /** One that breaks what the alarm watches, and finds it raised. */
  @ParameterizedTest
  @EnumSource
  void shouldHaveATestOfItsOwn(Alarm alarm) throws IOException {
    // given
    Pattern named = Pattern.compile("\\bAlarm\\." + alarm.name() + "\\b");

    // when
    List<Path> naming;
    try (Stream<Path> files = Files.walk(Path.of("src", "test", "java"))) {
      naming = files.filter(file -> isTest(file) && named.matcher(text(file)).find()).toList();
    }

    // then
    assertThat(naming).isNotEmpty();
  }

  private static boolean isTest(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".java") && !name.equals("AlarmTest.java");
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
