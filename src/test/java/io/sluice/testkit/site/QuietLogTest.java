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
        "0|2026-11-23T09:41:44.479Z WARN  [a] Opening: dependency unavailable; retried until it"
            + " succeeds part=\"redis\" reason=\"unreachable\" cause=\"Timeout 2000 (ms) fired\" ",
        "1|2026-11-23T09:41:44.479Z WARN  [a] Opening: dependency unavailable; retried until it"
            + " succeeds part=\"redis\" reason=\"unreachable\" cause=\"Connection refused\" ",
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
  void shouldExcuseABlockedEventLoopOnlyUntilTheInstanceServes() {
    // given
    String blocked =
        "2026-11-23T09:41:44.479Z WARN  [vertx-blocked-thread-checker] BlockedThreadChecker:"
            + " Thread vert.x-eventloop-thread-0 has been blocked for 2326 ms, time limit is 2000";
    String serving = "2026-11-23T09:41:45.000Z INFO  [a] Application: serving";

    // when
    var starting = unit.loudLines(String.join("\n", blocked, serving));
    var selling = unit.loudLines(String.join("\n", serving, blocked));

    // then
    assertThat(starting).isEmpty();
    assertThat(selling).containsExactly(blocked);
  }

  @ParameterizedTest
  @CsvSource({"999, 0, 1", "1000, 0, 0", "6000, 9999, 0", "6000, 10000, 1"})
  void shouldExcuseWarningsOfOwnersThatALongStallCutOff(int stallMs, int laterMs, int loud)
      throws IOException {
    // given
    disk.round(() -> clock.advance(Duration.ofMillis(stallMs)));
    String line =
        "%s WARN  [a] RedisLink: Redis connection lost cause=\"CONNECTION_CLOSED\""
            .formatted(clock.instant().plusMillis(laterMs));

    // when
    var lines = unit.loudLines(line);

    // then
    assertThat(lines).hasSize(loud);
  }

  @Test
  void shouldExcuseNoErrorAfterALongStall() throws IOException {
    // given
    disk.round(() -> clock.advance(Duration.ofSeconds(6)));
    String line = "%s ERROR [a] Main: cannot start".formatted(clock.instant());

    // when
    var lines = unit.loudLines(line);

    // then
    assertThat(lines).containsExactly(line);
  }

  @ParameterizedTest
  @CsvSource({
    "io.sluice.ledger.LedgerUnavailableException: UNAVAILABLE, 1500, 750",
    "io.sluice.stock.StockUnavailableException: command, 1000, 500",
  })
  void shouldExcuseALateStoreOnlyWhileTheDiskStandsStill(String cause, int limitMs, int stallMs)
      throws IOException {
    // given
    disk.round(() -> clock.advance(Duration.ofMillis(stallMs)));
    String during = late(cause, limitMs, 0);
    String after = late(cause, limitMs, limitMs + 1_001);
    String other = during.replace("Timeout %d (ms) fired".formatted(limitMs), "Lock wait timeout");

    // when
    var lines = unit.loudLines(String.join("\n", during, after, other));

    // then
    assertThat(lines).containsExactly(after, other);
  }

  @Test
  void shouldNotExcuseALateStoreByAShorterPause() throws IOException {
    // given
    disk.round(() -> clock.advance(Duration.ofMillis(749)));
    String line = late("io.sluice.stock.StockUnavailableException: command", 1_500, 0);

    // when
    var lines = unit.loudLines(line);

    // then
    assertThat(lines).containsExactly(line);
  }

  @ParameterizedTest
  @CsvSource({
    "Timeout before it was sent, 3, watch, 09.999, 0",
    "Timeout 5000 (ms) fired, 3, direct events, 09.999, 0",
    "Timeout before it was sent, 3, watch, 10.000, 1",
    "Timeout before it was sent, 2, watch, 01.000, 1",
    "command: CONNECTION_CLOSED, 3, watch, 01.000, 0",
    "Connection refused, 3, watch, 01.000, 1",
  })
  void shouldExcuseATaskThatWasLateOnlyIfItSoonWorksAgain(
      String cause, int partition, String task, String at, int loud) {
    // given
    String failed =
        "2026-11-23T09:41:00.000Z WARN  [a] BackgroundTask: background task failed; retried until"
            + " it"
            + " succeeds partition=\"3\" task=\"%s\"".formatted(task)
            + " cause=\"io.sluice.stock.StockUnavailableException: %s\" ".formatted(cause);
    String again =
        "2026-11-23T09:41:%sZ INFO  [a] BackgroundTask: background task works again partition=\"%d\""
                .formatted(at, partition)
            + " task=\"%s\" ".formatted(task);

    // when
    var lines = unit.loudLines(failed + "\n" + again);

    // then
    assertThat(lines).hasSize(loud);
  }

  @ParameterizedTest
  @CsvSource({
    "Redis connection lost, Timeout 1000 (ms) fired, 7001, 09.999, 0",
    "Redis connection lost, Timeout 1000 (ms) fired, 7001, 10.000, 1",
    "Redis connection lost, Timeout 1000 (ms) fired, 7002, 01.000, 1",
    "Redis connection lost, CONNECTION_CLOSED, 7001, 09.999, 0",
    "Redis connection lost, CONNECTION_CLOSED, 7002, 01.000, 1",
    "Redis connection lost, null, 7001, 01.000, 0",
    "Redis connection lost, NOAUTH, 7001, 01.000, 1",
    "Redis cannot be reached; retried until it succeeds, Timeout 2000 (ms) fired, 7001, 09.999, 0",
    "Redis cannot be reached; retried until it succeeds, Connection refused, 7001, 01.000, 1",
  })
  void shouldExcuseALostConnectionOnlyIfTheNextOneSoonOpens(
      String text, String cause, int port, String at, int loud) {
    // given
    String reason = text.contains("lost") ? "" : " reason=\"unreachable\"";
    String lost =
        "2026-11-23T09:41:00.000Z WARN  [a] RedisLink: %s redis=\"127.0.0.1:7001\"%s cause=\"%s\" "
            .formatted(text, reason, cause);
    String connected =
        "2026-11-23T09:41:%sZ INFO  [a] RedisLink: Redis connected redis=\"127.0.0.1:%d\" "
            .formatted(at, port);

    // when
    var lines = unit.loudLines(lost + "\n" + connected);

    // then
    assertThat(lines).hasSize(loud);
  }

  @ParameterizedTest
  @CsvSource({"3, 09.999, 0", "3, 10.000, 1", "2, 01.000, 1"})
  void shouldExcuseALostFenceOnlyIfTheInstanceSoonHasThePartitionAgain(
      int partition, String at, int loud) {
    // given
    String lost =
        "2026-11-23T09:41:00.000Z WARN  [a] OwnerSupervisor: fence lost; this owner steps down"
            + " partition=\"3\" ";
    String again =
        "2026-11-23T09:41:%sZ INFO  [a] PartitionOwnerVerticle: partition taken over partition=\"%d\" "
            .formatted(at, partition);

    // when
    var lines = unit.loudLines(lost + "\n" + again);

    // then
    assertThat(lines).hasSize(loud);
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

  private String late(String cause, int limitMs, int laterMs) {
    return "%s WARN  [a] BackgroundTask: background task failed; cause=\"%s: Timeout %d (ms) fired\""
        .formatted(clock.instant().plusMillis(laterMs), cause, limitMs);
  }
}
