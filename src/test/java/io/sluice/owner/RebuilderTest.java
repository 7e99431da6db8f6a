package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Batches;
import io.sluice.ledger.BucketRow.LoadRow;
import io.sluice.ledger.Step;
import io.sluice.model.BucketId;
import io.sluice.model.Grants;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.monitor.Alarm;
import io.sluice.stock.BucketCode;
import io.sluice.testkit.process.LogWatch;
import io.sluice.testkit.register.Raises;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RebuilderTest {
  private static final int SKUS = 20;
  private static final int BUCKETS = SKUS * RebuildScene.BUCKETS_PER_SKU;
  private static final int PAGES = 10_000;

  private final RebuildScene scene = new RebuildScene();

  @ParameterizedTest
  @ValueSource(strings = {"freeze", "load"})
  void shouldOpenAllOthersAfterOneWaitWhenACallOfOneOfManyFails(String call) {
    // given
    List<BucketId> buckets = scene.lostSkus(1, SKUS);
    BucketId broken = buckets.get(BUCKETS / 2);
    scene.failFor(call, List.of(broken));
    scene.request(buckets);
    scene.run();
    int waits = scene.waits();

    // when
    scene.waitForGrants();

    // then
    // The first requested bucket is frozen at once, alone; all others share a wait.
    assertThat(waits).isEqualTo(2);
    assertThat(buckets).filteredOn(bucket -> !scene.isOpen(bucket)).containsExactly(broken);
    assertThat(scene.unit.isHandled(broken)).isTrue();
  }

  @Test
  void shouldOpenTheOneThatFailedOnceItCanBeLoaded() {
    // given
    BucketId broken = scene.lostSkus(1, 1).get(0);
    scene.failFor("load", List.of(broken));
    Future<Void> opened = scene.unit.request(broken, "test");
    scene.run();
    scene.waitForGrants();
    boolean openedBefore = opened.isComplete();
    scene.instead.clear();

    // when
    scene.retry();
    scene.waitForGrants();

    // then
    assertThat(openedBefore).isFalse();
    assertThat(opened.succeeded()).isTrue();
    assertThat(scene.isOpen(broken)).isTrue();
  }

  /** There are more of them than failures in a row that show that a store is down. */
  @Test
  void shouldNotStarveThoseBehindManyThatAlwaysFail() {
    // given
    List<BucketId> buckets = scene.lostSkus(1, 1);
    List<BucketId> broken = buckets.subList(0, 3 * Rebuilder.FAILURES_MAX);
    scene.failFor("load", broken);
    scene.request(buckets);

    // when
    for (int round = 0; round < 5; round++) {
      scene.run();
      scene.waitForGrants();
      scene.retry();
    }

    // then
    assertThat(buckets)
        .filteredOn(bucket -> !scene.isOpen(bucket))
        .containsExactlyElementsOf(broken);
  }

  @Test
  void shouldNotTryEachBucketWhenTheStoreIsAway() {
    // given
    List<BucketId> buckets = scene.lostSkus(1, SKUS);
    scene.failFor("freeze", buckets);

    // when
    scene.request(buckets);
    scene.run();

    // then
    assertThat(scene.called.get("freeze")).hasSize(Rebuilder.FAILURES_MAX);
  }

  @Test
  void shouldLoadAllWhenTheStoreIsBackAgain() {
    // given
    List<BucketId> buckets = scene.lostSkus(1, SKUS);
    scene.failFor("freeze", buckets);
    scene.request(buckets);
    scene.run();
    scene.instead.clear();

    // when
    scene.retry();
    scene.waitForGrants();
    scene.waitForGrants();

    // then
    assertThat(buckets).allMatch(scene::isOpen);
  }

  @Test
  void shouldLoadThoseThatSellBeforeThoseThatDoNot() {
    // given
    List<BucketId> closed = scene.lostSkus(1, 1);
    List<BucketId> selling = scene.lostSkus(2, 1);
    scene.close(1);
    BucketId first = scene.lostSkus(3, 1).get(0);
    scene.unit.request(first, "the others are frozen together behind it");
    scene.request(closed);
    scene.request(selling);
    scene.run();

    // when
    scene.waitForGrants();

    // then
    List<BucketId> opened = scene.called.get("open");
    assertThat(opened.get(0)).isEqualTo(first);
    assertThat(opened).filteredOn(bucket -> !bucket.equals(first)).startsWith(array(selling));
    assertThat(opened).endsWith(array(closed));
  }

  /**
   * A new bucket has no earlier grants to wait for, and an operator waits for the answer to a PUT.
   */
  @Test
  void shouldOpenAFreshOneAtOnceWhileOthersWaitForEarlierGrants() {
    // given
    List<BucketId> waiting = scene.lostSkus(1, 1);
    scene.request(waiting);
    scene.run();
    BucketId fresh = scene.addSkus(2, 1).get(0);

    // when
    Future<Void> opened = scene.unit.request(fresh, "test");
    scene.run();

    // then
    assertThat(opened.succeeded()).isTrue();
    assertThat(scene.isOpen(fresh)).isTrue();
    assertThat(waiting).noneMatch(scene::isOpen);
  }

  /** A restored ledger may take a bucket for new whose grants are in the log. */
  @Test
  void shouldOpenAFreshOneOnlyWhenTheLogThatItsOwnerHasFoundIsBooked() {
    // given
    scene.log.appendMarker(0);
    BucketId fresh = requested(scene.addSkus(2, 1));
    boolean openedBefore = scene.isOpen(fresh);

    // when
    Batches.apply(scene.ledger, Step.advance(scene.ownership.fence(), 1), List.of());
    scene.ownership.advanced(1);
    scene.run();

    // then
    assertThat(openedBefore).isFalse();
    assertThat(scene.isOpen(fresh)).isTrue();
  }

  /** Then grants of it may be in flight, for which a used bucket waits. */
  @Test
  void shouldStartOverWhenTheLogTellsThatABucketIsNotFresh() {
    // given
    scene.log.appendMarker(0);
    BucketId bucket = requested(scene.addSkus(2, 1));

    // when
    scene.ledger.raiseEpoch(scene.ownership.fence(), bucket, 1);
    Batches.apply(scene.ledger, Step.advance(scene.ownership.fence(), 1), List.of());
    scene.ownership.advanced(1);
    scene.run();
    boolean openedAtOnce = scene.isOpen(bucket);
    scene.retry();
    scene.waitForGrants();

    // then
    assertThat(openedAtOnce).isFalse();
    assertThat(scene.isOpen(bucket)).isTrue();
    assertThat(scene.ledger.bucket(bucket).result().orElseThrow().epoch()).isEqualTo(3);
  }

  @Test
  void shouldOpenAFreshOneWhenTheLogCanBeReadAgain() {
    // given
    scene.instead.put("endOffset", call -> Future.failedFuture("no leader"));
    BucketId fresh = requested(scene.addSkus(2, 1));
    boolean openedBefore = scene.isOpen(fresh);

    // when
    scene.instead.clear();
    scene.retry();

    // then
    assertThat(openedBefore).isFalse();
    assertThat(scene.isOpen(fresh)).isTrue();
  }

  @Test
  void shouldAskOnceForTheEndOfTheLogThatItHasFound() {
    // given
    requested(scene.addSkus(2, 1));
    scene.log.appendMarker(0);

    // when
    BucketId second = requested(scene.addSkus(3, 1));

    // then
    assertThat(scene.isOpen(second)).isTrue();
  }

  /**
   * An owner may have been cut off from the others together with a former primary, which takes
   * writes until it has missed its replicas for some time.
   */
  @Test
  void shouldNotRaiseTheEpochWhenTheFreezeWasInAnotherRedis() {
    // given
    BucketId bucket = requested(scene.lostSkus(1, 1));

    // when
    scene.stock.restart("redis2");
    scene.waitForGrants();

    // then
    assertThat(scene.ledger.bucket(bucket).result().orElseThrow().epoch()).isEqualTo(2);
    assertThat(scene.isOpen(bucket)).isFalse();
  }

  @Test
  void shouldNotRaiseTheEpochBeforeEarlierGrantsCanNoLongerBecomeAYes() {
    // given
    List<BucketId> lost = scene.lostSkus(1, 1);

    // when
    BucketId bucket = requested(lost);

    // then
    assertThat(scene.called.get("freeze")).containsExactly(bucket);
    assertThat(scene.called).doesNotContainKeys("load", "open");
    assertThat(scene.ledger.bucket(bucket).result().orElseThrow().epoch()).isEqualTo(2);
  }

  @Test
  void shouldBeginNoOtherTurnBetweenTheRaisedEpochAndTheOpening() {
    // given
    BucketId bucket = scene.addSkus(1, 1).get(0);
    Future<Boolean>[] other = asked();
    scene.instead.put(
        "load",
        call -> {
          other[0] =
              scene.sequencer.take("other", () -> Future.succeededFuture(scene.isOpen(bucket)));
          return null;
        });

    // when
    scene.unit.request(bucket, "test");
    scene.run();

    // then
    assertThat(other[0].result()).isTrue();
  }

  @Test
  void shouldLoadAnyNumberOfPages() {
    // given
    BucketId bucket = scene.addSkus(1, 1).get(0);
    OrderToken token = new OrderTokens(new byte[16]).tokenFor("alice", bucket, null);
    LoadRow ended = new LoadRow(Grants.of(token, "alice", 1, 1, 1, 0, 0), 0, false);
    List<LoadRow> page = Collections.nCopies(BucketLoader.PAGE_MAX, ended);
    int[] pages = {0};
    scene.instead.put(
        "loadRows", call -> Future.succeededFuture(pages[0]++ < PAGES ? page : List.of()));
    scene.instead.put("loadPage", call -> Future.succeededFuture(BucketCode.OK));

    // when
    Future<Void> opened = scene.unit.request(bucket, "test");
    scene.run();

    // then
    assertThat(opened.succeeded()).isTrue();
    assertThat(scene.called.get("loadPage")).hasSize(PAGES);
  }

  @Test
  @Raises(Alarm.NO_BUCKET_LOADS)
  void shouldRaiseAnAlarmWhenNothingCanBeLoadedForLong() {
    // given
    List<BucketId> buckets = scene.lostSkus(1, 1);
    scene.instead.put("endOffset", call -> Promise.promise().future());
    scene.request(buckets);
    scene.run();
    scene.waitForGrants();

    // when
    try (LogWatch logs = LogWatch.of(RebuildQueue.class)) {
      scene.ticks(RebuildQueue.ALARM_EVERY.toSeconds() - 1);
      int tooEarly = logs.alarms().size();
      scene.ticks(1);

      // then
      assertThat(tooEarly).isZero();
      assertThat(logs.alarms())
          .singleElement()
          .asString()
          .contains(
              Alarm.NO_BUCKET_LOADS.text(),
              "seconds=\"60\"",
              "shut=\"%d\"".formatted(buckets.size()));
    }
  }

  private static BucketId[] array(List<BucketId> buckets) {
    return buckets.toArray(BucketId[]::new);
  }

  @SuppressWarnings("unchecked")
  private static Future<Boolean>[] asked() {
    return new Future[1];
  }

  /** The first of these buckets, whose rebuild has begun. */
  private BucketId requested(List<BucketId> buckets) {
    BucketId first = buckets.get(0);
    scene.unit.request(first, "test");
    scene.run();
    return first;
  }
}
