package io.sluice.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.sluice.testkit.process.LogWatch;
import io.sluice.testkit.register.Raises;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HeartbeatMonitorTest {
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicBoolean logUp = new AtomicBoolean(true);
  private final HeartbeatMonitor unit = new HeartbeatMonitor(2, logUp::get, nanos::get);

  @Test
  @Raises(Alarm.NO_OWNER)
  void shouldRaiseAnAlarmOnceForThePartitionThatIsSilent() {
    try (LogWatch log = LogWatch.of(HeartbeatMonitor.class)) {
      // when
      for (int second = 0; second < 200; second++) {
        unit.heard(1);
        pass(Duration.ofSeconds(1));
      }

      // then
      assertThat(log.lines())
          .hasSize(1)
          .first()
          .asString()
          .contains(Alarm.NO_OWNER.text(), "partition=\"0\"");
    }
  }

  @Test
  void shouldRaiseItAgainWhenAPartitionThatWasHeardFallsSilentAgain() {
    try (LogWatch log = LogWatch.of(HeartbeatMonitor.class)) {
      // given
      silence(HeartbeatMonitor.SILENT_MAX.plusSeconds(2));
      unit.heard(0);

      // when
      silence(HeartbeatMonitor.SILENT_MAX.plusSeconds(2));

      // then
      assertThat(log.lines()).hasSize(3).last().asString().contains("partition=\"0\"");
    }
  }

  @Test
  void shouldNotCountTimeInWhichNothingCouldBeHeard() {
    try (LogWatch log = LogWatch.of(HeartbeatMonitor.class)) {
      // when
      silence(HeartbeatMonitor.SILENT_MAX.minusSeconds(2));
      logUp.set(false);
      silence(HeartbeatMonitor.SILENT_MAX.multipliedBy(2));
      logUp.set(true);
      silence(HeartbeatMonitor.SILENT_MAX.minusSeconds(2));
      pass(HeartbeatMonitor.SILENT_MAX.multipliedBy(2));
      silence(HeartbeatMonitor.SILENT_MAX.minusSeconds(2));

      // then
      assertThat(log.lines()).isEmpty();
    }
  }

  @Test
  void shouldTakeWhatIsOfAnUnknownPartition() {
    assertThatCode(() -> unit.heard(7)).doesNotThrowAnyException();
  }

  private void silence(Duration time) {
    for (long second = 0; second < time.toSeconds(); second++) {
      pass(Duration.ofSeconds(1));
    }
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
    unit.look();
  }
}
