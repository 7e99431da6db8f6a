package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.orderlog.InMemoryOrderLogConsumer;
import io.sluice.orderlog.LogUnavailableException;
import io.sluice.owner.OwnerSupervisor.ConnectivityMonitor;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An instance that cannot reach a store leaves the group, and rejoins later. */
class SupervisorReachTest {
  private static final int PARTITION = SupervisorScene.PARTITION;
  private static final int OTHER_PARTITION = 0;

  private final SupervisorScene scene = new SupervisorScene();

  @BeforeEach
  void start() {
    scene.beginWithPartition();
  }

  @Test
  void shouldHearNothingMoreOfAGroupThatItHasLeft() {
    // given
    leave();
    InMemoryOrderLogConsumer left = scene.consumers.get(0);

    // when
    left.assign(Set.of(OTHER_PARTITION));
    scene.vertx.run();

    // then
    assertThat(scene.hasOwner()).isFalse();
  }

  @Test
  void shouldNotLoseAnOwnerToAGroupThatItHasLeft() {
    // given
    leave();
    scene.reachesLedger = true;
    scene.advance(2);
    scene.assign(PARTITION);

    // when
    scene.consumers.get(0).assign(Set.of(PARTITION));
    scene.consumers.get(0).revoke(Set.of(PARTITION));
    scene.vertx.run();

    // then
    assertThat(scene.hasOwner()).isTrue();
  }

  @Test
  void shouldLeaveTheGroupToOthersWhenCutOffFromTheLedger() {
    // given
    scene.others(true);
    scene.reachesLedger = false;

    // when
    scene.advance(ConnectivityMonitor.CUT_OFF_AFTER.minusSeconds(2));
    boolean tooEarly = !scene.closed.isEmpty();
    scene.advance(4);

    // then
    assertThat(tooEarly).isFalse();
    assertThat(scene.closed).containsExactly(scene.consumers.get(0));
    assertThat(scene.hasOwner()).isFalse();
    assertThat(scene.consumer().isStarted()).as("rejoined the group at once").isFalse();
  }

  @Test
  void shouldLeaveTheGroupToOthersWhenCutOffFromRedis() {
    // given
    scene.others(true);

    // when
    scene.redisAway(true);
    scene.advance(20);

    // then
    assertThat(scene.closed).hasSize(1);
  }

  @Test
  void shouldStayInTheGroupWhenCutOffAndNobodyElseIsThere() {
    // given
    scene.others(false);

    // when
    scene.reachesLedger = false;
    scene.advance(60);

    // then
    assertThat(scene.closed).isEmpty();
    assertThat(scene.hasOwner()).isTrue();
  }

  @Test
  void shouldJoinAgainWithANewConsumerWhenItReachesBothStores() {
    // given
    leave();

    // when
    scene.reachesLedger = true;
    scene.advance(2);
    scene.assign(PARTITION);

    // then
    assertThat(scene.consumers).hasSize(2);
    assertThat(scene.consumer().isReading(PARTITION)).isTrue();
  }

  @Test
  void shouldJoinAgainForAsLongAsBeforeWhenNobodyElseIsLeft() {
    // given
    leave();

    // when
    scene.others(false);
    scene.advance(2);
    scene.others(true);
    boolean joined = scene.consumer().isStarted();
    scene.advance(ConnectivityMonitor.CUT_OFF_AFTER.minusSeconds(4));
    int leftSince = scene.closed.size() - 1;

    // then
    assertThat(joined).isTrue();
    assertThat(leftSince).isZero();
  }

  @Test
  void shouldJoinWithYetAnotherConsumerWhenJoiningFails() {
    // given
    leave();
    scene.calls.fail("start", new LogUnavailableException("no broker"));
    scene.reachesLedger = true;
    scene.advance(1);

    // when
    scene.calls.instead.remove("start");
    scene.advance(1);

    // then
    assertThat(scene.consumers).hasSize(3);
    assertThat(scene.closed).containsExactly(scene.consumers.get(0), scene.consumers.get(1));
    assertThat(scene.consumer().isStarted()).isTrue();
  }

  /** Leaves the group: the ledger cannot be reached, and there are other members. */
  private void leave() {
    scene.others(true);
    scene.reachesLedger = false;
    scene.advance(20);
    assertThat(scene.closed).as("has left the group").hasSize(1);
  }
}
