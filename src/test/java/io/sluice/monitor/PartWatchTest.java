package io.sluice.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.sluice.ledger.LedgerUnavailableException;
import io.sluice.testkit.process.LogWatch;
import io.sluice.testkit.register.Raises;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is told of a part that is away. */
class PartWatchTest {
  private static final RuntimeException LEDGER = new LedgerUnavailableException("planted", null);

  private final AtomicLong nanos = new AtomicLong(1);
  private final ReadinessMonitor.PartWatch unit = new ReadinessMonitor.PartWatch(nanos::get);

  @AfterEach
  void nothingIsAway() {
    unit.stop();
  }

  @Test
  @Raises({Alarm.LEDGER_AWAY, Alarm.STOCK_AWAY, Alarm.LOG_AWAY})
  void shouldSayOnceThatItIsAwayAndOnceThatItIsBack() {
    try (LogWatch log = LogWatch.of(ReadinessMonitor.class.getName(), Level.INFO)) {
      for (Part part : Part.values()) {
        // when
        look(part, false, Duration.ofMinutes(3));
        look(part, true, Duration.ofMinutes(1));

        // then
        assertThat(log.lines().stream().filter(line -> line.contains(part.word())))
            .satisfiesExactly(
                away -> assertThat(away).contains("ERROR", part.alarm().text()),
                back -> assertThat(back).contains("INFO", "part is back", "seconds=\"180\""));
      }
    }
  }

  @Test
  void shouldSayNothingOfAPartThatIsBackAtOnce() {
    try (LogWatch log = LogWatch.of(ReadinessMonitor.class)) {
      // when
      look(Part.STOCK, false, ReadinessMonitor.PartWatch.TELL_AFTER.minusSeconds(1));
      look(Part.STOCK, true, Duration.ofSeconds(1));
      look(Part.STOCK, false, ReadinessMonitor.PartWatch.TELL_AFTER.minusSeconds(1));

      // then
      assertThat(log.lines()).isEmpty();
      assertThat(Part.STOCK.isAway()).isTrue();
    }
  }

  /** 16 alarms advised a restart, after which an instance could not start, and sold nothing. */
  @Test
  void shouldRaiseNoAlarmAboutOwnersThatCannotWork() {
    // given
    HeartbeatMonitor heartbeats = new HeartbeatMonitor(16, () -> !Part.isAnyAway(), nanos::get);
    long before = Alarm.NO_OWNER.raised();

    // when
    for (int second = 0; second < 300; second++) {
      look(Part.LEDGER, false, Duration.ofSeconds(1));
      heartbeats.look();
    }
    look(Part.LEDGER, true, Duration.ofSeconds(1));
    heartbeats.look();

    // then
    assertThat(Alarm.NO_OWNER.raised()).isEqualTo(before);
  }

  @Test
  void shouldExplainWhatFailsWithoutThePart() {
    // given
    look(Part.LEDGER, false, Duration.ofSeconds(1));
    long longAgo = nanos.get() - Duration.ofMinutes(1).toNanos();

    // then
    assertThat(Part.explains(LEDGER, longAgo, nanos.get())).isTrue();
    assertThat(Part.explains(new RuntimeException(LEDGER), nanos.get())).isTrue();
    assertThat(Part.explains(new IllegalStateException("a bug"), nanos.get(), nanos.get()))
        .isFalse();
  }

  @Test
  void shouldNotExplainWhatFailsThoughThePartAnswers() {
    // given
    look(Part.LEDGER, false, Duration.ofSeconds(1));
    look(Part.LEDGER, true, Duration.ofSeconds(1));
    long since = nanos.get();
    boolean justBack = Part.explains(LEDGER, nanos.get());

    // when
    nanos.addAndGet(Duration.ofSeconds(20).toNanos());

    // then
    assertThat(justBack).isTrue();
    assertThat(Part.explains(LEDGER, nanos.get())).isFalse();
    assertThat(Part.explains(LEDGER, since, nanos.get())).isFalse();
    assertThat(Part.explains(LEDGER, nanos.get(), nanos.get())).as("not noticed yet").isTrue();
  }

  /** As the timer does, each 200 ms. */
  private void look(Part part, boolean up, Duration time) {
    for (long ms = 0; ms < time.toMillis(); ms += ReadinessMonitor.LOOK_EVERY.toMillis()) {
      unit.note(part, up);
      nanos.addAndGet(ReadinessMonitor.LOOK_EVERY.toNanos());
    }
  }
}
