package io.sluice.orderlog.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.metrics.Meters;
import io.sluice.monitor.Alarm;
import io.sluice.testkit.register.Raises;
import org.junit.jupiter.api.Test;

class SealWatchTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private long nanos;
  private final SealWatch unit =
      new SealWatch("mine", "stock-events", new Meters(registry), () -> nanos);

  @Test
  @Raises(Alarm.SECOND_LEDGER)
  void shouldGoOnWithOneAlarmInAWhileWhenAnotherLedgerIsHeard() {
    // given
    long before = Alarm.SECOND_LEDGER.raised();

    // when
    unit.otherLedger("theirs");
    unit.otherLedger("theirs");
    long soon = Alarm.SECOND_LEDGER.raised() - before;
    nanos += SealWatch.ALARM_EVERY.toNanos();
    unit.otherLedger("theirs");

    // then
    assertThat(soon).isEqualTo(1);
    assertThat(Alarm.SECOND_LEDGER.raised() - before).isEqualTo(2);
  }

  @Test
  @Raises(Alarm.EVENTS_FORGED)
  void shouldCountWhatIsForgedAndRaiseOneAlarm() {
    // given
    long before = Alarm.EVENTS_FORGED.raised();

    // when
    unit.ignored(true);
    unit.ignored(false);

    // then
    assertThat(Alarm.EVENTS_FORGED.raised() - before).isEqualTo(1);
    assertThat(registry.counter("sluice_events_ignored", "reason", "forged").count()).isEqualTo(1);
    assertThat(registry.counter("sluice_events_ignored", "reason", "unsigned").count())
        .isEqualTo(1);
  }
}
