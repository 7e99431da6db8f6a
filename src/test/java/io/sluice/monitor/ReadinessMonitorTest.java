package io.sluice.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ready means that a grant can be made, and made durable. */
class ReadinessMonitorTest {
  @ParameterizedTest
  @CsvSource({
    "true, '', true",
    "true, mysql, true",
    "true, kafka, true",
    "true, redis, false",
    "true, service, false",
    "true, owners, false",
    "false, owners, false",
    "true, mysql kafka, false",
    "false, '', true",
    "false, mysql, true",
    "false, kafka, false",
  })
  void shouldBeReadyWhenAGrantCanBeMadeDurable(
      boolean booksDirectly, String down, boolean isReady) {
    // given
    Readiness readiness = ReadinessMonitor.readiness(booksDirectly);
    List.of("mysql", "kafka", "redis", "service", "owners")
        .forEach(part -> readiness.report(part, true, "up"));

    // when
    List.of(down.split(" ")).stream()
        .filter(part -> !part.isEmpty())
        .forEach(part -> readiness.report(part, false, "down"));

    // then
    assertThat(readiness.isReady()).isEqualTo(isReady);
  }
}
