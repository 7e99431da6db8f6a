package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.sluice.monitor.Alarm;
import io.sluice.orderlog.OrderLogConsumer.LogOffsetException;
import io.sluice.owner.Membership.BlockedPartitions;
import io.sluice.testkit.process.LogWatch;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The alarms of partitions that only an operator can unblock. */
class BlockedPartitionsTest {
  private static final int PARTITION = 3;

  private final BlockedPartitions unit = new BlockedPartitions();

  private List<String> alarmed(LogOffsetException cause) {
    try (LogWatch log = LogWatch.of(Membership.class.getName(), Level.INFO)) {
      unit.alarm(PARTITION, cause);
      return log.lines();
    }
  }

  @Test
  void shouldAlarmOnceWhenTheLogEndsBelowTheOffset() {
    // given
    long before = Alarm.LOG_CUT.raised();
    LogOffsetException cut = new LogOffsetException(PARTITION, 20, 0, 7);

    // when
    List<String> lines = alarmed(cut);
    List<String> again = alarmed(cut);

    // then
    assertThat(lines)
        .singleElement()
        .asString()
        .startsWith("ERROR " + Alarm.LOG_CUT.text())
        .contains("partition=\"3\"");
    assertThat(again).isEmpty();
    assertThat(Alarm.LOG_CUT.raised()).isEqualTo(before + 1);
  }

  @Test
  void shouldAlarmWithTheOffsetsWhenRecordsWereDeletedUnread() {
    // given
    long before = Alarm.LOG_RECORDS_LOST.raised();

    // when
    List<String> lines = alarmed(new LogOffsetException(PARTITION, 20, 50, 70));

    // then
    assertThat(lines)
        .singleElement()
        .asString()
        .startsWith("ERROR " + Alarm.LOG_RECORDS_LOST.text())
        .contains("from=\"20\"", "to=\"49\"", "records=\"30\"");
    assertThat(Alarm.LOG_RECORDS_LOST.raised()).isEqualTo(before + 1);
  }

  @Test
  void shouldAlarmAgainWhenThePartitionWasReadInBetween() {
    // given
    LogOffsetException cut = new LogOffsetException(PARTITION, 20, 0, 7);
    alarmed(cut);
    unit.isReadAgain(PARTITION);

    // when
    List<String> lines = alarmed(cut);

    // then
    assertThat(lines).hasSize(1);
  }
}
