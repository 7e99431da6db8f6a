package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.OrderStatus;
import io.sluice.monitor.Alarm;
import io.sluice.testkit.process.LogWatch;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The ledger is put back to an earlier state while an owner runs. */
class WentBackTest {
  private final OwnerScene scene = OwnerScene.withStock(3);

  @Test
  void shouldStepDownAndBookAgainWhenTheNextSliceFindsAnOlderOffset() {
    // given
    Runnable restore = scene.ledger.backup();
    Grant paid = scene.placed("alice", 1);
    scene.append(new Command.Confirm(paid.token()));
    scene.placed("bob", 1);
    scene.settle();
    long epoch = scene.row().epoch();

    // when
    restore.run();
    scene.placed("carol", 1);
    scene.work();

    // then
    assertThat(scene.lost).isTrue();
    assertThat(scene.isBooked("carol")).isFalse();

    // when
    scene.takeOver();
    scene.settle();

    // then
    assertThat(scene.order("alice").status()).isEqualTo(OrderStatus.CONFIRMED);
    assertThat(scene.order("bob").status()).isEqualTo(OrderStatus.PENDING);
    assertThat(scene.order("carol").status()).isEqualTo(OrderStatus.PENDING);
    assertThat(scene.row().epoch()).as("rebuilt").isGreaterThan(epoch);
    assertThat(scene.redis().epoch()).isEqualTo(scene.row().epoch());
    assertThat(scene.redis().available()).isZero();
  }

  @Test
  void shouldNoticeWithinASecondWhenNothingIsBooked() {
    // given
    Runnable restore = scene.ledger.backup();
    scene.placed("alice", 1);
    scene.settle();
    restore.run();

    // when
    scene.owner.watchFence();

    // then
    assertThat(scene.lost).isTrue();
  }

  @Test
  void shouldNoticeWhenTheFenceIsOfALowerTermOrGone() {
    // given
    Runnable ofLowerTerm = scene.ledger.backup();
    scene.clock.advance(Duration.ofSeconds(1));
    scene.takeOver();
    scene.owner.watchFence();
    assertThat(scene.lost).as("still owns the partition").isFalse();

    // when
    ofLowerTerm.run();
    scene.owner.watchFence();

    // then
    assertThat(scene.lost).isTrue();
  }

  @Test
  void shouldTakeBackWhatWasRestockedSinceWhenNothingOfTheBucketWasBooked() {
    // given
    Runnable restore = scene.ledger.backup();
    scene.ledger.restock(OwnerScene.BUCKET.skuId(), "forgotten", 2);
    scene.append(new Command.Confirm(scene.token("nobody")));
    scene.settle();
    assertThat(scene.redis().available()).isEqualTo(5);

    // when
    restore.run();
    scene.owner.watchFence();
    scene.takeOver();
    scene.settle();

    // then
    assertThat(scene.redis().available()).as("what the ledger has").isEqualTo(3);
  }

  /** Else the bucket would be rebuilt alone, without waiting for other partitions. */
  @Test
  void shouldTellWhenTheReconcilerIsTheFirstToSeeIt() {
    // given
    Runnable restore = scene.ledger.backup();
    scene.ledger.restock(OwnerScene.BUCKET.skuId(), "forgotten", 2);
    scene.settle();
    restore.run();

    // when
    try (LogWatch log = LogWatch.of(KnownFences.class)) {
      scene.owner.reconcile();

      // then
      assertThat(log.lines()).anyMatch(line -> line.contains(Alarm.LEDGER_RESTORED.text()));
    }
  }

  /** The fence of a partition in which nothing was booked since is what it was. */
  @Test
  void shouldTellFromRedisThatTheLedgerWentBackWhenNothingWasBookedSince() {
    // given
    Runnable restore = scene.ledger.backup();
    scene.ledger.restock(OwnerScene.BUCKET.skuId(), "forgotten", 2);
    scene.settle();
    restore.run();
    scene.ledger.restock(OwnerScene.BUCKET.skuId(), "taken", -1);

    // when
    scene.owner.watchFence();
    boolean lost = scene.lost;
    scene.settle();

    // then
    assertThat(lost).as("told from the fence").isFalse();
    assertThat(scene.redis().total()).isEqualTo(2);
    assertThat(scene.row().allotted()).as("taken back").isEqualTo(2);
    assertThat(scene.ledger.corrections(10).result()).as("noticed by reconciliation").isEmpty();
  }

  @Test
  void shouldTellFromRedisThatTheLedgerWentBackWhenAnotherInstanceTakesOver() {
    // given
    Runnable restore = scene.ledger.backup();
    scene.placed("alice", 1);
    scene.settle();
    scene.stock.plant(OwnerScene.BUCKET, 0, 0, 1, 0);
    restore.run();
    scene.known = new KnownFences();

    // when
    scene.takeOver();
    scene.settle();

    // then
    assertThat(scene.isBooked("alice")).isTrue();
    assertThat(scene.redis().available()).as("the planted unit is gone").isEqualTo(2);
    assertThat(scene.ledger.corrections(10).result())
        .as("noticed without reconciliation")
        .isEmpty();
  }

  @Test
  void shouldTakeOverAboveTheTermOfRedisWhenTheLedgerHasForgottenIt() {
    // given
    long high = scene.redis().term() + 3_600_000;
    scene.stock.freeze(OwnerScene.BUCKET, high);

    // when
    scene.owner.watchBuckets();
    boolean lost = scene.lost;
    scene.takeOver();
    scene.settle();

    // then
    assertThat(lost).isTrue();
    assertThat(scene.redis().term()).isGreaterThan(high);
    assertThat(scene.grant("alice", 3).qty()).isEqualTo(3);
  }

  @Test
  void shouldGiveEachYesItsUnitWhenTimeOutsAreForgotten() {
    // given
    Runnable restore = scene.ledger.backup();
    scene.placed("alice", 3);
    scene.settle();
    scene.pass(Duration.ofSeconds(310));
    scene.settle();
    assertThat(scene.order("alice").status()).isEqualTo(OrderStatus.CANCELED);
    scene.placed("bob", 3);
    scene.settle();

    // when
    restore.run();
    scene.owner.watchFence();
    scene.takeOver();
    scene.settle();

    // then
    assertThat(scene.order("alice").status()).isEqualTo(OrderStatus.CANCELED);
    assertThat(scene.order("bob").status()).isEqualTo(OrderStatus.PENDING);
    assertThat(scene.redis().available()).isZero();
  }

  @Test
  void shouldBookGrantsOfAForgottenEpochAndRebuildWhenTheLedgerWentBackBehindARebuild() {
    // given
    Runnable restore = scene.ledger.backup();
    scene.stock.wipe();
    scene.settle();
    scene.placed("alice", 1);
    scene.settle();
    long epoch = scene.redis().epoch();

    // when
    restore.run();
    scene.known = new KnownFences();
    scene.stock.wipe();
    scene.takeOver();
    scene.settle();

    // then
    assertThat(scene.order("alice").status()).isEqualTo(OrderStatus.PENDING);
    assertThat(scene.redis().epoch()).isGreaterThan(epoch);
    assertThat(scene.redis().available()).isEqualTo(2);
  }
}
