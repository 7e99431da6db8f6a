package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.LedgerUnavailableException;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.monitor.Alarm;
import io.sluice.orderlog.LogBatch;
import io.sluice.orderlog.LogBatch.LogRecord;
import io.sluice.stock.StockUnavailableException;
import io.sluice.testkit.process.LogWatch;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Grants of an older epoch, which the gate drops: those of another Redis process raise an alarm.
 */
class StrayGrantsTest {
  private static final String OLD_RUN = "0a1b2c3d";
  private static final String ZOMBIE = "instance-7";

  private final OwnerScene scene = OwnerScene.withStock(30);
  private final LogWatch logs = LogWatch.of(StrayGrants.class);

  @AfterEach
  void close() {
    logs.close();
  }

  @Test
  void shouldNameInstanceAndRedisWhenAReplacedRedisGrantsAfterTheRebuild() {
    // given
    Grant before = replaced();

    // when
    deliver(ZOMBIE, later(before, 0), later(before, 0));

    // then
    assertThat(logs.alarms())
        .singleElement()
        .asString()
        .contains(Alarm.STRAY_GRANTS.text())
        .contains(
            "partition=\"%s\"".formatted(OwnerScene.PARTITION),
            "instance=\"%s\"".formatted(ZOMBIE),
            "run=\"%s\"".formatted(OLD_RUN),
            "grants=\"2\"");
    assertThat(scene.strays).isEqualTo(2);
    assertThat(scene.isBooked("alice")).isFalse();
  }

  /** As of an instance that was paused, or of a producer that was slow. */
  @Test
  void shouldStaySilentWhenARecordOfBeforeTheRebuildIsLate() {
    // given
    Grant before = replaced();

    // when
    deliver(ZOMBIE, before);

    // then
    assertThat(scene.eventTypes()).contains("STALE_GRANT_DROPPED");
    assertThat(logs.alarms()).isEmpty();
    assertThat(scene.strays).isZero();
  }

  @Test
  void shouldStaySilentWhenGrantsAreOfThePresentEpoch() {
    // given
    replaced();
    Grant present = scene.grant("bob", 1);

    // when
    deliver("instance-8", present);

    // then
    assertThat(scene.isBooked("bob")).isTrue();
    assertThat(logs.alarms()).isEmpty();
  }

  /** Redis' clock may have jumped and gone back before the rebuild. */
  @ParameterizedTest
  @CsvSource({"0, 1", "1999, 1", "2001, 0", "3600000, 0"})
  void shouldBelieveNoTimeFarAheadOfTheLedgersClock(long aheadMs, int strays) {
    // given
    Grant before = replaced();

    // when
    deliver(ZOMBIE, later(before, aheadMs));

    // then
    assertThat(scene.strays).isEqualTo(strays);
    assertThat(logs.alarms()).hasSize(strays);
  }

  /** As after a jump of its clock: the process in which the bucket is open now is no other one. */
  @ParameterizedTest
  @CsvSource({"redis2, true, 0", "redis2, false, 1", "redis1, true, 1"})
  void shouldNotTakeThePresentRedisForAnother(String run, boolean answers, int strays) {
    // given
    Grant before = replaced();
    if (!answers) {
      scene.calls.fail("history", new StockUnavailableException("away", null));
    }

    // when
    deliver(ZOMBIE, new Command.Reserve(later(before, 0), run, null));

    // then
    assertThat(scene.strays).isEqualTo(strays);
  }

  @Test
  void shouldNameAWriterOnceAMinuteAndCountAll() {
    // given
    Grant before = replaced();
    deliver(ZOMBIE, later(before, 0));
    deliver(ZOMBIE, later(before, 0));
    deliver("instance-9", later(before, 0));
    int early = logs.alarms().size();
    scene.pass(StrayGrants.ALARM_EVERY);

    // when
    deliver(ZOMBIE, later(before, 0));

    // then
    assertThat(early).isEqualTo(2);
    assertThat(logs.alarms()).hasSize(3);
    assertThat(scene.strays).isEqualTo(4);
  }

  @Test
  void shouldNoticeAfterATakeOverAsWell() {
    // given
    Grant before = replaced();
    scene.takeOver();
    Grant earlier = later(before, 0);
    scene.advance(Duration.ofSeconds(1));

    // when
    deliver(ZOMBIE, earlier);
    int ofEarlier = scene.strays;
    deliver(ZOMBIE, later(before, 0));

    // then
    assertThat(ofEarlier).isZero();
    assertThat(scene.strays).isEqualTo(1);
  }

  @Test
  void shouldNoticeTheNextOneWhenTheClockCouldNotBeReadAtTheTakeOver() {
    // given
    Grant before = replaced();
    scene.calls.fail("nowMs", new LedgerUnavailableException("away", null));
    scene.takeOver();
    scene.calls.instead.remove("nowMs");
    scene.advance(Duration.ofSeconds(1));
    deliver(ZOMBIE, later(before, 0));
    int first = scene.strays;
    scene.advance(Duration.ofSeconds(1));

    // when
    deliver(ZOMBIE, later(before, 0));

    // then
    assertThat(first).isZero();
    assertThat(scene.strays).isEqualTo(1);
  }

  /** A grant that was made before Redis was replaced and the bucket rebuilt. */
  private Grant replaced() {
    Grant before = scene.grant("alice", 1);
    scene.stock.wipe();
    scene.stock.restart("redis2");
    scene.settle();
    return before;
  }

  /** What the replaced Redis grants now, on a clock that is ahead by so much. */
  private Grant later(Grant before, long aheadMs) {
    long nowMs = scene.clock.millis() + aheadMs;
    return Grants.at(before, nowMs, nowMs + 300_000);
  }

  private void deliver(String instance, Grant... grants) {
    deliver(
        instance,
        Stream.of(grants)
            .map(grant -> new Command.Reserve(grant, OLD_RUN, null))
            .toArray(Command[]::new));
  }

  private void deliver(String instance, Command... commands) {
    long offset = scene.append(commands).result();
    LogRecord entry = new LogRecord(offset, 0, true, List.of(commands), instance);
    scene.owner.polled(new LogBatch(OwnerScene.PARTITION, offset, offset + 1, List.of(entry)));
  }
}
