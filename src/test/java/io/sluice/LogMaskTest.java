package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.event.KeyValuePair;

/** The service's own log format, with what a library may have written. */
class LogMaskTest {
  private static final Path SHIPPED = Path.of("src", "main", "resources", "logback.xml");
  private static final Pattern FORMAT = Pattern.compile("<pattern>(.+)</pattern>");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Cannot parse invalid connection URI: mysql://sluice:canary@db:3306/sluice",
        "rediss://:canary@redis and mysql://u:can:canary@db",
        "redis://u:p@canary@redis",
      })
  void shouldCutThePasswordOutOfAUri(String text) throws IOException {
    // given
    LoggerContext context = new LoggerContext();
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern(shippedFormat());
    encoder.start();
    LoggingEvent event =
        new LoggingEvent(
            LogMaskTest.class.getName(),
            context.getLogger("test"),
            Level.WARN,
            "message " + text,
            new IllegalStateException("thrown " + text),
            null);
    event.addKeyValuePair(new KeyValuePair("cause", "value " + text));

    // when
    String line = new String(encoder.encode(event), StandardCharsets.UTF_8);

    // then
    assertThat(line)
        .contains("message ", "cause=\"value ", "thrown ", "***@", "shouldCutThePasswordOutOfAUri")
        .doesNotContain("canary");
    assertThat(line.strip()).doesNotContain("\n");
  }

  private static String shippedFormat() throws IOException {
    Matcher format = FORMAT.matcher(Files.readString(SHIPPED));
    assertThat(format.find()).isTrue();
    return format.group(1);
  }
}
