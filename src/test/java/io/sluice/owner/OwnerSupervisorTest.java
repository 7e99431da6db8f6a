package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.LedgerUnavailableException;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OwnerSupervisorTest {
  private static final int PARTITION = SupervisorScene.PARTITION;

  private static final Throwable AWAY = new LedgerUnavailableException("away", null);

  private final SupervisorScene scene = new SupervisorScene();

  @Test
  void shouldBookWhatItIsGiven() {
    // given
    scene.beginWithPartition();
    scene.sell(3);
    scene.placed("alice");

    // when
    scene.poll();

    // then
    assertThat(scene.isBooked("alice")).isTrue();
  }

  @Test
  void shouldDoWhatOtherInstancesAskOfItsOwners() {
    // given
    scene.beginWithPartition();
    scene.sell(3);
    long epoch = scene.ledger.bucket(SupervisorScene.BUCKET).result().orElseThrow().epoch();

    // when
    long id = scene.ledger.request(RequestKind.REBUILD, SupervisorScene.BUCKET).result();
    scene.advance(5);

    // then
    assertThat(scene.ledger.answer(id).result()).isPresent();
    assertThat(scene.ledger.bucket(SupervisorScene.BUCKET).result().orElseThrow().epoch())
        .isGreaterThan(epoch);
  }

  @Test
  void shouldHaveNoOwnerAnyMoreWhenThePartitionIsRevoked() {
    // given
    scene.beginWithPartition();
    boolean before = scene.hasOwner();

    // when
    scene.revoke(PARTITION);

    // then
    assertThat(before).isTrue();
    assertThat(scene.hasOwner()).isFalse();
    assertThat(scene.connectionsOpen).as("the supervisor's connection").isEqualTo(1);
  }

  @Test
  void shouldTakeOverAnewWhenTheFenceIsLostAndTheGroupStillGivesItThePartition() {
    // given
    scene.beginWithPartition();
    scene.ledger.takeOver(PARTITION, 0);

    // when
    scene.advance(2);
    int beforeTheGroupWasAsked = scene.takeOvers();
    scene.poll();

    // then
    assertThat(beforeTheGroupWasAsked).isEqualTo(1);
    assertThat(scene.takeOvers()).isEqualTo(2);
    assertThat(scene.consumer().isReading(PARTITION)).isTrue();
  }

  @Test
  void shouldLeaveThePartitionToItsNewOwnerWhenTheGroupSaysSo() {
    // given
    scene.beginWithPartition();
    scene.ledger.takeOver(PARTITION, 0);

    // when
    scene.advance(2);
    scene.revoke(PARTITION);
    scene.poll();

    // then
    assertThat(scene.takeOvers()).isEqualTo(1);
    assertThat(scene.hasOwner()).isFalse();
  }

  /** Because the successor may have to start at a lower offset. */
  @Test
  void shouldBeHandedNothingBetweenALostFenceAndTheNextOwner() {
    // given
    scene.beginWithPartition();
    scene.sell(3);
    scene.ledger.takeOver(PARTITION, 0);
    scene.advance(2);

    // when
    scene.placed("alice");
    int handed = scene.poll();
    scene.poll();

    // then
    assertThat(handed).isZero();
    assertThat(scene.isBooked("alice")).isTrue();
  }

  @Test
  void shouldBeGivenNoMoreWhileALongBacklogWaits() {
    // given
    scene.beginWithPartition();
    scene.sell(1);
    Promise<Object> ledgerAnswers = Promise.promise();
    scene.calls.instead.put("apply", call -> ledgerAnswers.future());
    for (int i = 0; i < 13; i++) {
      scene.paidByNobody(1_000);
    }
    scene.poll();

    // when
    scene.placed("late");
    int whilePaused = scene.poll();
    scene.calls.instead.remove("apply");
    ledgerAnswers.fail(AWAY);
    scene.advance(5);
    int resumed = scene.poll();

    // then
    assertThat(whilePaused).isZero();
    assertThat(resumed).isEqualTo(1);
    assertThat(scene.isBooked("late")).isTrue();
  }

  @Test
  void shouldBeSettledOnceTheOwnersOfAllThatItWasGivenHaveTakenOver() {
    // given
    scene.calls.fail("takeOver", AWAY);
    scene.begin();
    scene.advance(1);
    boolean withoutPartitions = scene.unit.isSettled();
    scene.assign(PARTITION);
    scene.advance(1);
    boolean withoutOwner = scene.unit.isSettled();

    // when
    scene.calls.instead.remove("takeOver");
    scene.advance(3);

    // then
    assertThat(withoutPartitions).isFalse();
    assertThat(withoutOwner).isFalse();
    assertThat(scene.unit.isSettled()).isTrue();
  }

  @Test
  void shouldLeaveTheGroupAndCloseItsConnectionsWhenStopped() {
    // given
    scene.beginWithPartition();
    int open = scene.connectionsOpen;

    // when
    Future<Void> ended = scene.end();
    scene.vertx.run();

    // then
    assertThat(open).as("the supervisor's connection and its owner's").isEqualTo(2);
    assertThat(ended.succeeded()).isTrue();
    assertThat(scene.closed).containsExactly(scene.consumer());
    assertThat(scene.connectionsOpen).isZero();
  }

  /** Because other members take over as soon as it has left, and the two must not overlap. */
  @Test
  void shouldNotLeaveTheGroupBeforeItsOwnersHaveEnded() {
    // given
    scene.beginWithPartition();
    scene.sell(3);
    scene.calls.instead.put("apply", call -> Promise.promise().future());
    scene.placed("alice");
    scene.poll();

    // when
    Future<Void> ended = scene.end();
    boolean leftAtOnce = !scene.closed.isEmpty();
    scene.advance(PartitionOwnerVerticle.STOP_MAX.plus(Duration.ofMillis(1)));

    // then
    assertThat(leftAtOnce).isFalse();
    assertThat(scene.closed).hasSize(1);
    assertThat(ended.succeeded()).isTrue();
    assertThat(scene.connectionsOpen).isZero();
  }
}
