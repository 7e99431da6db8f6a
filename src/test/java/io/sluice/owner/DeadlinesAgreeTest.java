package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Grant;
import io.sluice.stock.BucketCode;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Grants of before may come for as long as the longest deadline and a former primary allow. */
class DeadlinesAgreeTest {
  private final OwnerScene scene = OwnerScene.withStock(3);

  /**
   * The deadline of another instance (0: there is none), and the replicas' maximum lag, for which
   * the former primary may take writes, and a little longer.
   */
  @ParameterizedTest
  @CsvSource({"0, 0, 2400", "5000, 0, 5400", "0, 3000, 7400"})
  void shouldStayShutUntilNoEarlierGrantCanComeWhenRebuilt(int otherMs, long lagMs, long shutMs) {
    // given
    if (otherMs > 0) {
      scene.ledger.instance(otherMs, otherMs + 1_000);
    }
    if (lagMs > 0) {
      scene.stock.replicate(Duration.ofMillis(lagMs));
    }
    scene.stock.wipe();
    scene.work();

    // when
    scene.advance(Duration.ofMillis(shutMs));
    scene.work();
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
    watch();
    boolean early = scene.isBooked("alice");
    scene.advance(Duration.ofMillis(200));
    watch();

    // then
    assertThat(early).isFalse();
    assertThat(scene.isBooked("alice")).isTrue();
    assertThat(unlogged.qty()).isEqualTo(1);
  }

  /** All buckets are looked at. */
  private void watch() {
    for (int step = 0; step < BucketRound.ROUND_STEPS; step++) {
      scene.work();
    }
  }
}
