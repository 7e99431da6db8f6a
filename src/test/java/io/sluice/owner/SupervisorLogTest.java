package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.async.BackgroundTask;
import io.sluice.ledger.IdentityMismatchException;
import io.sluice.orderlog.LogUnavailableException;
import io.sluice.testkit.process.LogWatch;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.junit.jupiter.api.Test;

/** A partition whose log cannot be read at the offset that the ledger names. */
class SupervisorLogTest {
  private static final int PARTITION = SupervisorScene.PARTITION;

  private static final Throwable NO_LEADER = new LogUnavailableException("no leader");

  private final SupervisorScene scene = new SupervisorScene();

  @Test
  void shouldKeepItsConsumerWhenTheLogHoldsWhatIsBooked() {
    // given
    scene.log.appendRaw(PARTITION, new byte[0]);
    scene.ledger.reset(PARTITION, 1);

    // when
    scene.beginWithPartition();
    scene.advance(10);

    // then
    assertThat(scene.consumers).hasSize(1);
    assertThat(scene.consumer().isReading(PARTITION)).isTrue();
  }

  @Test
  void shouldReadWithANewConsumerWhenTheLogWasCutAndGoesOn() {
    // given
    scene.ledger.reset(PARTITION, 1);
    scene.beginWithPartition();
    scene.advance(5);
    boolean tooEarly = scene.consumer().isReading(PARTITION);

    // when
    scene.log.appendRaw(PARTITION, new byte[0]);
    scene.advance(5);

    // then
    assertThat(tooEarly).isFalse();
    assertThat(scene.consumers).hasSize(2);
    assertThat(scene.consumer().isStarted()).isTrue();
    scene.assign(PARTITION);
    assertThat(scene.consumer().isReading(PARTITION)).isTrue();
    assertThat(scene.consumers.get(0).isReading(PARTITION)).isFalse();
  }

  @Test
  void shouldTryAgainWhenTheLogCannotBeReadYet() {
    // given
    scene.calls.fail("startAt", NO_LEADER);
    scene.beginWithPartition();

    // when
    scene.calls.instead.remove("startAt");
    scene.advance(OwnerSupervisor.RETRY_AFTER);

    // then
    assertThat(scene.consumer().isReading(PARTITION)).isTrue();
  }

  @Test
  void shouldWarnOnceWhenTheLogCannotBeReadForLong() {
    // given
    scene.calls.fail("startAt", NO_LEADER);

    // when
    try (LogWatch logs = LogWatch.of(Membership.class)) {
      scene.beginWithPartition();
      int atOnce = logs.lines().size();
      scene.advance(30);

      // then
      assertThat(atOnce).as("no warning at once: the leader may just be changing").isZero();
      assertThat(logs.lines()).singleElement().asString().startsWith("WARN ");
    }
  }

  @Test
  void shouldRaiseOneAlarmWhenTheLogWasCut() {
    // given
    scene.ledger.reset(PARTITION, 1);

    // when
    try (LogWatch logs = LogWatch.of(Membership.class)) {
      scene.beginWithPartition();
      scene.advance(30);

      // then
      assertThat(logs.alarms()).hasSize(1);
    }
  }

  @Test
  void shouldRaiseOneAlarmWhenTheLogIsCutUnderAnOwner() {
    // given
    scene.beginWithPartition();
    scene.sellTo("alice");

    // when
    try (LogWatch logs = LogWatch.of(Membership.class)) {
      scene.log.loseFrom(PARTITION, 0);
      scene.advance(30);

      // then
      assertThat(logs.alarms()).hasSize(1);
    }
  }

  @Test
  void shouldRaiseAnAlarmWhenTheConsumerSaysThatRecordsAreGone() {
    // given
    scene.beginWithPartition();
    scene.log.appendRaw(PARTITION, new byte[0]);
    scene.log.forgetBefore(PARTITION, 1);

    // when
    try (LogWatch logs = LogWatch.of(Membership.class)) {
      scene.poll();

      // then
      assertThat(logs.alarms()).singleElement().asString().contains("from=\"0\"", "to=\"0\"");
    }
  }

  /** Nothing ever started the partition again, although the alarm asks to restore the topic. */
  @Test
  void shouldReadOnWhenTheTopicIsRestoredUnderAnOwner() {
    // given
    scene.beginWithPartition();
    scene.sellTo("alice");
    byte[] record = scene.log.records(PARTITION).get(0);
    scene.log.loseFrom(PARTITION, 0);
    scene.poll();
    boolean whileCut = scene.consumer().isReading(PARTITION);

    // when
    scene.log.appendRaw(PARTITION, record);
    scene.advance(OwnerSupervisor.RETRY_AFTER.multipliedBy(2));
    scene.assign(PARTITION);
    scene.placed("bob");
    scene.poll();

    // then
    assertThat(whileCut).isFalse();
    assertThat(scene.isBooked("bob")).isTrue();
    assertThat(scene.consumers).as("the old one has seen a newer leader epoch").hasSize(2);
  }

  /** Its offsets are of the log before; one that lies inside of the new log would skip records. */
  @Test
  void shouldReadNothingWhenTheLedgerNamesAnotherLogByNow() {
    // given
    scene.log.appendRaw(PARTITION, new byte[0]);
    scene.log.appendRaw(PARTITION, new byte[0]);
    scene.ledger.reset(PARTITION, 1);
    scene.sameLog = Future.failedFuture(new IdentityMismatchException("another log"));

    // when
    scene.beginWithPartition();
    scene.advance(10);

    // then
    assertThat(scene.consumer().isReading(PARTITION)).isFalse();
    assertThat(scene.fence(PARTITION).nextOffset()).isEqualTo(1);
  }

  @Test
  void shouldReadOnWithTheSameConsumerWhenItCouldNotSayWhatIsWrong() {
    // given
    scene.beginWithPartition();
    scene.sellTo("alice");

    // when
    scene.consumer().fail(PARTITION, NO_LEADER);
    boolean whileFailing = scene.consumer().isReading(PARTITION);
    scene.advance(OwnerSupervisor.RETRY_AFTER);
    scene.placed("bob");
    scene.poll();

    // then
    assertThat(whileFailing).isFalse();
    assertThat(scene.isBooked("bob")).isTrue();
    assertThat(scene.consumers).hasSize(1);
  }

  @Test
  void shouldRaiseAnAlarmWhenRecordsAreGoneBeforeAnOwnerBegins() {
    // given
    scene.log.appendRaw(PARTITION, new byte[0]);
    scene.log.forgetBefore(PARTITION, 1);

    // when
    try (LogWatch logs = LogWatch.of(Membership.class)) {
      scene.beginWithPartition();
      scene.advance(30);

      // then
      assertThat(logs.alarms()).singleElement().asString().contains("from=\"0\"", "to=\"0\"");
    }
  }

  @Test
  void shouldRaiseAnAlarmWhenTheReadingOfRequestsStandsStill() {
    // given
    SupervisorScene owning = SupervisorScene.withPartition();
    owning.calls.instead.put("openRequests", call -> Promise.promise().future());

    // when
    try (LogWatch logs = LogWatch.of(BackgroundTask.class)) {
      owning.advance(BackgroundTask.STUCK_AFTER.plusSeconds(2));

      // then
      assertThat(logs.alarms()).singleElement().asString().contains("task=\"requests\"");
    }
  }
}
