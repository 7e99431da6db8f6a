package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.stock.GrantOutcome;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an owner that looks seldom, because nothing happens, must still notice in time. */
class IdleOwnerTest {
  private static final int PARTITION = SupervisorScene.PARTITION;

  private final SupervisorScene scene = SupervisorScene.withPartition();

  @BeforeEach
  void restForAWhile() {
    scene.sell(3);
    scene.advance(120);
    scene.calls.of("areQuiet").clear();
    scene.advance(10);
    assertThat(scene.calls.of("areQuiet")).as("it is idle").isEmpty();
    scene.calls.of("freeze").clear();
  }

  @Test
  void shouldSweepWhatTheLogDoesNotBring() {
    // given
    GrantOutcome granted = scene.reserve("alice");

    // when
    scene.advance(10);

    // then
    assertThat(granted).isInstanceOf(GrantOutcome.Granted.class);
    assertThat(scene.isBooked("alice")).isTrue();
  }

  @Test
  void shouldLoadABucketAnewASecondAfterRedisWasReplaced() {
    // given
    scene.stock.wipe();
    scene.stock.restart("redis2");

    // when
    scene.advance(1);

    // then
    assertThat(scene.calls.of("freeze")).hasSize(1);
    scene.advance(10);
    assertThat(scene.reserve("alice")).isInstanceOf(GrantOutcome.Granted.class);
  }

  /** With its data, so that only the history tells that some of them may be missing. */
  @Test
  void shouldLoadABucketAnewASecondAfterRedisWasReplacedByOneWithTheSameData() {
    // given
    scene.stock.restart("redis2");

    // when
    scene.advance(1);

    // then
    assertThat(scene.calls.of("freeze")).hasSize(1);
  }

  @Test
  void shouldLoadABucketAnewWhenRedisHasLostIt() {
    // given
    scene.stock.wipe();
    int before = scene.calls.of("load").size();

    // when
    scene.advance(6);

    // then
    assertThat(scene.calls.of("load")).hasSize(before + 1);
  }

  @Test
  void shouldStepDownWithinASecondWhenAnotherHasTheFence() {
    // given
    scene.ledger.takeOver(PARTITION, 0);

    // when
    scene.advance(1);

    // then
    assertThat(scene.hasOwner()).isFalse();
  }
}
