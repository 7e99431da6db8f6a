package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Batches;
import io.sluice.ledger.Step;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.orderlog.LogUnavailableException;
import io.sluice.testkit.process.LogWatch;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SKUs with buckets in two partitions, in a ledger that was restored to an earlier state. */
class SiblingWaitTest {
  private static final int SIBLING = 1;

  /** More than there are in the longest time of a grant. */
  private static final int LOOKS_AFTER_LATE = SiblingWait.IN_FLIGHT_UNTIL + 10;

  private final RebuildScene scene = new RebuildScene(2);
  private final List<BucketId> own = scene.lostSkus(1, 1).stream().filter(this::isOwn).toList();

  {
    scene.ledger.takeOver(SIBLING, 0);
  }

  @Test
  void shouldOpenNothingBeforeTheOtherPartitionHasBookedWhatItsLogHas() {
    // given
    scene.ownership.wentBackFrom(1);
    fillLogOfSibling();
    rebuild(own);
    looks(SiblingWait.IN_FLIGHT_UNTIL);
    boolean early = own.stream().anyMatch(scene::isOpen);

    // when
    bookLogOfSibling(1);
    looks(LOOKS_AFTER_LATE);

    // then
    assertThat(early).isFalse();
    assertThat(own).allMatch(scene::isOpen);
  }

  /** It may have frozen its buckets as late as it has booked. */
  @Test
  void shouldWaitForTheLastGrantsOfAPartitionThatWasBehind() {
    // given
    scene.ownership.wentBackFrom(1);
    fillLogOfSibling();
    rebuild(own);
    looks(SiblingWait.IN_FLIGHT_UNTIL);
    bookLogOfSibling(1);
    scene.retry();
    fillLogOfSibling();

    // when
    looks(LOOKS_AFTER_LATE);
    boolean early = own.stream().anyMatch(scene::isOpen);
    bookLogOfSibling(2);
    scene.retry();

    // then
    assertThat(early).isFalse();
    assertThat(own).allMatch(scene::isOpen);
  }

  /**
   * @param looks before the partition grants for the last time: until it is asked, it may have
   *     acknowledged grants, because its buckets were frozen a little later
   */
  @ParameterizedTest
  @ValueSource(ints = {0, SiblingWait.ASKED_AT - 2})
  void shouldWaitOnceForAPartitionWhoseLastRecordsAreOnTheirWay(int looks) {
    // given
    scene.ownership.wentBackFrom(1);
    rebuild(own);
    looks(looks);
    fillLogOfSibling();
    looks(SiblingWait.IN_FLIGHT_UNTIL - 2 - looks);
    boolean early = own.stream().anyMatch(scene::isOpen);

    // when
    bookLogOfSibling(1);
    looks(2);

    // then
    assertThat(early).isFalse();
    assertThat(own).allMatch(scene::isOpen);
  }

  @Test
  void shouldNotWaitTwiceForAPartitionThatHasBookedItsLogAlready() {
    // given
    scene.ownership.wentBackFrom(1);
    fillLogOfSibling();
    bookLogOfSibling(1);

    // when
    rebuild(own);
    looks(SiblingWait.ASKED_AT);

    // then
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
      looks(SiblingWait.LOOKS_PER_LINE);

      // then
      // The first bucket is frozen alone; all others share the next wait.
      assertThat(log.lines()).hasSize(2).allMatch(line -> line.contains("partition 1 at 0 of 1"));
      assertThat(log.lines().get(1)).contains("requests=\"%d\"".formatted(own.size() - 1));
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

    // when: the first is frozen alone, the others together
    rebuild(List.of(own.get(1), alone, own.get(0)));

    // then
    assertThat(scene.isOpen(alone)).isTrue();
    assertThat(scene.isOpen(own.get(0))).isFalse();

    // when
    scene.instead.clear();
    looks(LOOKS_AFTER_LATE);

    // then
    assertThat(scene.isOpen(own.get(0))).isTrue();
  }

  @Test
  void shouldFreezeAndWaitOnceMoreWhenTheRestoreIsNoticedDuringALoad() {
    // given
    fillLogOfSibling();
    scene.instead.put("raiseEpoch", call -> noticed());
    rebuild(own);
    int waits = scene.waits();
    scene.waitForGrants();
    boolean early = own.stream().anyMatch(scene::isOpen);

    // when
    bookLogOfSibling(1);
    looks(LOOKS_AFTER_LATE);

    // then
    assertThat(waits).as("begun again, together").isEqualTo(1);
    assertThat(early).isFalse();
    assertThat(own).allMatch(scene::isOpen);
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

  private void bookLogOfSibling(long end) {
    Batches.apply(
        scene.ledger, Step.advance(scene.ledger.fences().result().get(SIBLING), end), List.of());
  }

  private void looks(int count) {
    for (int look = 0; look < count; look++) {
      scene.retry();
    }
  }
}
