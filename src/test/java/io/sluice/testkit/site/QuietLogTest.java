package io.sluice.testkit.site;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuietLogTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0|2026-11-23T09:41:40.000Z INFO  [main] Main: serving",
        "0|2026-11-23T09:41:40.000Z WARN  [main] Main: unsafe default in use",
        "1|2026-11-23T09:41:44.479Z WARN  [a] OwnerSupervisor: fence lost; this owner steps down",
        "1|java.lang.IllegalStateException: no",
        "1|'\tat io.sluice.Main.main(Main.java:1)'",
      })
  void shouldFindWhatASaleWithoutFaultsDoesNotLog(int loud, String line) {
    // when
    var lines = QuietLog.loudLines(line);

    // then
    assertThat(lines).hasSize(loud);
  }
}
