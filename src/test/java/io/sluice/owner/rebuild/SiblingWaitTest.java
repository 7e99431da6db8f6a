package io.sluice.owner.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Bookings.Step;
import io.sluice.ledger.Fence;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.orderlog.LogUnavailableException;
import io.sluice.testkit.process.LogWatch;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.Test;

/** SKUs with buckets in two partitions, in a ledger that was restored to an earlier state. */
class SiblingWaitTest {
  private static final int SIBLING = 1;

  private final RebuildScene scene = new RebuildScene(2);
  private final List<BucketId> own = scene.lostSkus(1, 1).stream().filter(this::isOwn).toList();
  private final Fence sibling = scene.ledger.takeOver(SIBLING, 0).result();

  @Test
  void shouldOpenNothingBeforeTheOtherPartitionHasBookedWhatItsLogHas() {
    // given
    scene.ownership.wentBackFrom(1);
    fillLogOfSibling();
    rebuild(own);
    scene.retry();
    boolean early = own.stream().anyMatch(scene::isOpen);

    // when
    bookLogOfSibling();
    scene.retry();

    // then
    assertThat(early).isFalse();
    assertThat(own).allMatch(scene::isOpen);
  }

  @Test
  void shouldSayForWhomBucketsWaitWhenTheyWaitForLong() {
    // given
    scene.ownership.wentBackFrom(1);
    fillLogOfSibling();
    rebuild(own);

    // when
    try (LogWatch log = LogWatch.of(SiblingWait.class)) {
      for (int look = 0; look < SiblingWait.LOOKS_PER_LINE; look++) {
        scene.retry();
      }

      // then
      // The first bucket is frozen alone; all others share the next wait.
      assertThat(log.lines()).hasSize(2).allMatch(line -> line.contains("partition 1 at 0 of 1"));
      assertThat(log.lines().get(1)).contains("requests=" + (own.size() - 1));
    }
    assertThat(own).noneMatch(scene::isOpen);
  }

  @Test
  void shouldOpenWhatIsInNoOtherPartitionWhenTheLogOfAnotherCannotBeRead() {
    // given
    BucketId alone = scene.soleBucket(7);
    scene.ownership.wentBackFrom(1);
    scene.instead.put(
        "endOffset",
        call ->
            call[0].equals(SIBLING)
                ? Future.failedFuture(new LogUnavailableException("no leader"))
                : null);

    // when
    rebuild(List.of(alone, own.get(0)));

    // then
    assertThat(scene.isOpen(alone)).isTrue();
    assertThat(scene.isOpen(own.get(0))).isFalse();

    // when
    scene.instead.clear();
    scene.retry();
    scene.waitForGrants();

    // then
    assertThat(scene.isOpen(own.get(0))).isTrue();
  }

  @Test
  void shouldFreezeAndWaitOnceMoreWhenTheRestoreIsNoticedAfterTheWait() {
    // given
    fillLogOfSibling();
    scene.instead.put("raiseEpoch", call -> noticed());

    // when
    rebuild(own);

    // then
    assertThat(own.stream().filter(scene::isOpen)).hasSizeLessThanOrEqualTo(1);
    assertThat(scene.waits()).as("begun again").isEqualTo(1);
  }

  @Test
  void shouldNotWaitForOthersWhenTheLedgerWasNotRestored() {
    // given
    fillLogOfSibling();

    // when
    rebuild(own);

    // then
    assertThat(own).allMatch(scene::isOpen);
  }

  private void rebuild(List<BucketId> buckets) {
    scene.request(buckets);
    scene.run();
    scene.waitForGrants();
  }

  private Future<?> noticed() {
    scene.ownership.wentBackFrom(1);
    return null;
  }

  private boolean isOwn(BucketId bucket) {
    return scene.ledger.bucket(bucket).result().orElseThrow().partition() != SIBLING;
  }

  private void fillLogOfSibling() {
    OrderToken any = new OrderTokens(new byte[16]).tokenFor("alice", own.get(0), null);
    scene.log.append(SIBLING, List.of(new Command.Confirm(any)));
  }

  private void bookLogOfSibling() {
    scene.ledger.apply(Step.advance(sibling, 1), List.of());
  }
}
