package io.sluice.owner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.OrderStatus;
import io.sluice.model.Reason;
import io.sluice.monitor.Alarm;
import io.sluice.orderlog.LogBatch;
import io.sluice.owner.Booking.ForeignRecords;
import io.sluice.testkit.register.Raises;
import java.util.List;
import org.junit.jupiter.api.Test;

class BookingTest {
  private final OwnerScene scene = OwnerScene.withStock(3);

  @Test
  void shouldBookAndTakeOutOfUnbookedWhenAGrantIsInTheLog() {
    // given
    scene.placed("alice", 2);

    // when
    scene.work();

    // then
    assertThat(scene.order("alice").status()).isEqualTo(OrderStatus.PENDING);
    assertThat(scene.row().held()).isEqualTo(2);
    assertThat(scene.redis().unbookedCount()).isZero();
    assertThat(scene.eventTypes()).containsExactly("ORDER_BOOKED");
  }

  @Test
  void shouldBookOnceWhenTheLogCarriesAGrantTwice() {
    // given
    Grant grant = scene.placed("alice", 1);
    scene.append(new Command.Reserve(grant, null));

    // when
    scene.work();

    // then
    assertThat(scene.row().held()).isEqualTo(1);
    assertThat(scene.eventTypes()).containsExactly("ORDER_BOOKED");
  }

  @Test
  void shouldBookTheGrantFirstWhenItsCommandComesWithoutIt() {
    // given
    Grant grant = scene.grant("alice", 1);
    scene.append(new Command.Confirm(grant.token()));

    // when
    scene.work();

    // then
    assertThat(scene.order("alice").status()).isEqualTo(OrderStatus.CONFIRMED);
    assertThat(scene.row().sold()).isEqualTo(1);
  }

  @Test
  void shouldPassACommandOverWhenNobodyKnowsItsOrder() {
    // given
    scene.append(new Command.Confirm(scene.token("nobody")));
    scene.placed("alice", 1);

    // when
    scene.work();

    // then
    assertThat(scene.isBooked("nobody")).isFalse();
    assertThat(scene.isBooked("alice")).isTrue();
  }

  @Test
  void shouldDropAGrantWhenItsEpochIsOver() {
    // given
    Grant stale = scene.grant("alice", 1);
    scene.stock.wipe();
    scene.settle();

    // when
    scene.append(new Command.Reserve(stale, null));
    scene.work();

    // then
    assertThat(scene.isBooked("alice")).isFalse();
    assertThat(scene.eventTypes()).contains("STALE_GRANT_DROPPED");
    assertThat(scene.redis().available()).isEqualTo(3);
  }

  @Test
  void shouldStepDownAndBookNothingWhenRecordsInBetweenWereNotBrought() {
    // given
    Grant first = scene.placed("alice", 1);
    Grant second = scene.placed("bob", 1);

    // when
    scene.owner.polled(
        new LogBatch(
            OwnerScene.PARTITION,
            1,
            2,
            List.of(
                new LogBatch.LogRecord(1, 0, true, List.of(new Command.Reserve(second, null))))));
    boolean steppedDown = scene.lost;
    scene.takeOver();
    scene.work();

    // then
    assertThat(steppedDown).isTrue();
    assertThat(scene.order("bob").status()).isEqualTo(OrderStatus.PENDING);
    assertThat(scene.order(first.userId()).status()).isEqualTo(OrderStatus.PENDING);
  }

  /** One record of a transactional producer stopped the partition for good. */
  @Test
  void shouldPassTheMarkerOfATransactionWhenItStandsBetweenOrBehindRecords() {
    // given
    scene.log.appendMarker(OwnerScene.PARTITION);
    scene.placed("alice", 1);
    scene.log.appendMarker(OwnerScene.PARTITION);

    // when
    scene.work();
    long atTheEnd = scene.fence().nextOffset();
    scene.placed("bob", 1);
    scene.work();

    // then
    assertThat(scene.lost).isFalse();
    assertThat(atTheEnd).as("the fence has passed the marker, or drains would wait").isEqualTo(3);
    assertThat(scene.order("alice").status()).isEqualTo(OrderStatus.PENDING);
    assertThat(scene.order("bob").status()).isEqualTo(OrderStatus.PENDING);
  }

  @Test
  @Raises(Alarm.FOREIGN_RECORD)
  void shouldRaiseOneAlarmInAWhileWhenAnotherProgramWrites() {
    // given
    long before = Alarm.FOREIGN_RECORD.raised();

    // when
    scene.log.appendRaw(OwnerScene.PARTITION, "foreign".getBytes(UTF_8));
    scene.log.appendMarker(OwnerScene.PARTITION);
    scene.work();
    scene.log.appendMarker(OwnerScene.PARTITION);
    scene.work();
    long soon = Alarm.FOREIGN_RECORD.raised() - before;
    scene.advance(ForeignRecords.ALARM_EVERY);

    // then
    assertThat(soon).isEqualTo(1);
    assertThat(Alarm.FOREIGN_RECORD.raised() - before).isEqualTo(2);
  }

  @Test
  void shouldDoNothingMoreWhenAnotherOwnerHasThePartition() {
    // given
    PartitionOwner zombie = scene.owner;
    scene.takeOver();
    Grant grant = scene.placed("alice", 1);
    scene.work();
    scene.append(new Command.Cancel(grant.token(), Reason.BUYER));

    // when
    zombie.polled(
        new LogBatch(
            0,
            0,
            1,
            List.of(
                new LogBatch.LogRecord(0, 0, true, List.of(new Command.Refund(grant.token()))))));

    // then
    assertThat(scene.lost).isTrue();
    assertThat(scene.order("alice").status()).isEqualTo(OrderStatus.PENDING);
  }

  @Test
  void shouldReleaseInRedisOnlyAfterTheLedgerWhenCanceled() {
    // given
    Grant grant = scene.placed("alice", 3);
    scene.work();

    // when
    scene.append(new Command.Cancel(grant.token(), Reason.BUYER));
    scene.work();

    // then
    assertThat(scene.order("alice").reason()).isEqualTo(Reason.BUYER);
    assertThat(scene.redis().available()).isEqualTo(3);
    assertThat(scene.row().free()).isEqualTo(3);
  }
}
