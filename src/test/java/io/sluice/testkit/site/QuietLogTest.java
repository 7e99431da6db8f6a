package io.sluice.testkit.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.ManualClock;
import io.sluice.testkit.process.DiskWatch;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuietLogTest {
  private final ManualClock clock = new ManualClock();
  private final DiskWatch disk = new DiskWatch(clock);
  private final QuietLog unit = new QuietLog(disk);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0|2026-11-23T09:41:40.000Z INFO  [main] Main: serving",
        "0|2026-11-23T09:41:40.000Z WARN  [main] Main: unsafe default in use",
        "1|2026-11-23T09:41:44.479Z WARN  [a] OwnerSupervisor: fence lost; this owner steps down",
        "0|2026-11-23T09:41:44.479Z WARN  [a] Retry: dependency unavailable; retried until it succeeds"
            + " part=\"redis\" reason=\"unreachable\" cause=\"Timeout 2000 (ms) fired\" ",
        "1|2026-11-23T09:41:44.479Z WARN  [a] Retry: dependency unavailable; retried until it succeeds"
            + " part=\"redis\" reason=\"unreachable\" cause=\"Connection refused\" ",
        "1|java.lang.IllegalStateException: no",
        "1|'\tat io.sluice.Main.main(Main.java:1)'",
      })
  void shouldFindWhatASaleWithoutFaultsDoesNotLog(int loud, String line) {
    // when
    var lines = unit.loudLines(line);

    // then
    assertThat(lines).hasSize(loud);
  }

  @Test
  void shouldExcuseALateLedgerOnlyWhileTheDiskStandsStill() throws IOException {
    // given
    disk.round(() -> clock.advance(Duration.ofSeconds(5)));
    String during = late(Duration.ZERO);
    String after = late(Duration.ofSeconds(7));
    String other = during.replace("Timeout 5000 (ms) fired", "Lock wait timeout exceeded");

    // when
    var lines = unit.loudLines(String.join("\n", during, after, other));

    // then
    assertThat(lines).containsExactly(after, other);
  }

  @Test
  void shouldFindWorkThatRunsOnNoEventLoop() {
    // given
    String onLoop = "2026-11-23T09:41:40.000Z INFO  [vert.x-eventloop-thread-1] A: done";
    String beside = "2026-11-23T09:41:40.000Z INFO  [globalEventExecutor-1-3] A: done";

    // when
    var lines = QuietLog.strayLines(onLoop + "\n" + beside);

    // then
    assertThat(lines).containsExactly(beside);
  }

  private String late(Duration later) {
    return "%s WARN  [a] BackgroundTask: background task failed; task=\"booking\" cause=\"%s\""
        .formatted(
            clock.instant().plus(later),
            "io.sluice.ledger.LedgerUnavailableException: UNAVAILABLE: Timeout 5000 (ms) fired");
  }
}
