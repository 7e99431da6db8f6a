package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Grant;
import io.sluice.stock.BucketCode;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Another instance has a longer grant deadline than this one. */
class DeadlinesAgreeTest {
  private final OwnerScene scene = OwnerScene.withStock(3);

  @Test
  void shouldWaitForTheLongestDeadlineWhenRebuilt() {
    // given
    scene.ledger.instance(5_000, 6_000);
    scene.stock.wipe();
    scene.work();

    // when
    scene.advance(Duration.ofMillis(5_400));
    BucketCode before = scene.redis().code();
    scene.advance(Duration.ofMillis(200));
    scene.work();

    // then
    assertThat(before).isEqualTo(BucketCode.LOADING);
    assertThat(scene.redis().code()).isEqualTo(BucketCode.OK);
  }

  @Test
  void shouldNotSweepBeforeTheLongestDeadline() {
    // given
    scene.ledger.instance(5_000, 9_000);
    Grant unlogged = scene.grant("alice", 1);

    // when
    scene.advance(Duration.ofMillis(8_900));
    scene.work();
    boolean early = scene.isBooked("alice");
    scene.advance(Duration.ofMillis(200));
    scene.work();

    // then
    assertThat(early).isFalse();
    assertThat(scene.isBooked("alice")).isTrue();
    assertThat(unlogged.qty()).isEqualTo(1);
  }
}
