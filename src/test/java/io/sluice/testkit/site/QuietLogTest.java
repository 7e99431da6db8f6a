package io.sluice.testkit.site;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuietLogTest {
  private static final String START = "2026-11-23T09:41:39.341Z INFO  [main] Main: started\n";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0|2026-11-23T09:41:40.000Z INFO  [main] Main: serving",
        "0|2026-11-23T09:41:40.000Z WARN  [main] Main: unsafe default in use",
        "1|2026-11-23T09:41:40.000Z WARN  [main] Main: partition cannot be taken over",
        "1|java.lang.IllegalStateException: no",
        "0|2026-11-23T09:41:44.479Z WARN  [a] OwnerSupervisor: fence lost; this owner steps down",
        "1|2026-11-23T09:42:44.479Z WARN  [a] OwnerSupervisor: fence lost; this owner steps down",
      })
  void shouldFindWhatASaleWithoutFaultsDoesNotLog(int loud, String line) {
    // when
    var lines = QuietLog.loudLines(START + line);

    // then
    assertThat(lines).hasSize(loud);
  }
}
