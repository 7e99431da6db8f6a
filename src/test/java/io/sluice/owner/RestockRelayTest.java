package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.sluice.async.BackgroundTask;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.BucketId;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockUnavailableException;
import io.sluice.testkit.process.LogWatch;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RestockRelayTest {
  private static final long SKU = OwnerScene.BUCKET.skuId();
  private static final StockUnavailableException AWAY = new StockUnavailableException("away", null);

  private final OwnerScene scene = OwnerScene.withStock(10);

  @BeforeEach
  void forgetTheFirstLoad() {
    scene.calls.of("restock").clear();
  }

  @Test
  void shouldTellRedisNothingTwice() {
    // given
    scene.restock(5);

    // when
    scene.owner.relayOutbox();
    scene.owner.relayOutbox();

    // then
    assertThat(scene.redis().total()).isEqualTo(15);
    assertThat(scene.calls.of("restock")).hasSize(1);
    assertThat(scene.pending(OutboxKind.RESTOCK)).isEmpty();
  }

  /** Many times a second: events, which wait while a backlog is booked, must not come along. */
  @Test
  void shouldFindOnlyWhatIsRestockedWhenItLooksOften() {
    // given
    scene.restock(5);
    int events = scene.calls.of("publish").size();

    // when
    scene.owner.lookForRestocks();

    // then
    assertThat(scene.redis().total()).isEqualTo(15);
    assertThat(scene.pending(OutboxKind.RESTOCK)).isEmpty();
    assertThat(scene.calls.of("publish")).hasSize(events);
  }

  @Test
  void shouldDoAllOfABucketInOnePass() {
    // given
    scene.restock(5);
    scene.restock(-3);
    scene.ledger.change(SKU, StateChange.CLOSE);

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.redis().total()).isEqualTo(12);
    assertThat(scene.row().allotted()).isEqualTo(12);
    assertThat(scene.redis().state()).isEqualTo(SkuState.CLOSED);
  }

  @Test
  void shouldNotHoldOtherBucketsUp() {
    // given
    scene.addSku(2);
    scene.restock(5);
    scene.ledger.restock(SKU + 1, "r1", 2);
    scene.calls.answerOf("restock", OwnerScene.BUCKET::equals, Future.failedFuture(AWAY));

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.pending(OutboxKind.RESTOCK)).hasSize(1);
    assertThat(total(new BucketId(SKU + 1, 0)) + total(new BucketId(SKU + 1, 1))).isEqualTo(4);
  }

  /** A SKU that stays shut, and is restocked once a minute, fills a page in a working day. */
  @Test
  void shouldNotHoldOthersUpWhenBlockedRowsFillAPage() {
    // given
    scene.addSku(1);
    moreThanAPage();
    scene.ledger.restock(SKU + 1, "r1", 2);
    scene.calls.answerOf(
        "restock", OwnerScene.BUCKET::equals, Future.succeededFuture(BucketCode.LOADING));
    scene.calls.of("restock").clear();

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(total(new BucketId(SKU + 1, 0))).isEqualTo(3);
    assertThat(scene.calls.of("restock")).hasSize(2);
  }

  @Test
  void shouldNotHoldOthersUpWhenRowsThatFailFillAPage() {
    // given
    scene.addSku(1);
    moreThanAPage();
    scene.ledger.restock(SKU + 1, "r1", 2);
    scene.calls.answerOf("restock", OwnerScene.BUCKET::equals, Future.failedFuture(AWAY));

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(total(new BucketId(SKU + 1, 0))).isEqualTo(3);
  }

  /** Each pass ended at them, so what was behind their page was never served. */
  @Test
  void shouldReachWhatIsBehindWhenManyBucketsFailForGood() {
    // given
    restockManyBuckets(RestockRelay.PAGE_MAX / RestockRelay.FAILURES_MAX);
    scene.restock(5);
    scene.calls.answerOf("restock", bucket -> bucket.skuId() != SKU, Future.failedFuture(AWAY));

    // when
    scene.owner.relayOutbox();
    scene.owner.relayOutbox();

    // then
    assertThat(scene.redis().total()).isEqualTo(15);
    assertThat(scene.pending(OutboxKind.RESTOCK)).hasSize(RestockRelay.PAGE_MAX);
  }

  /** It was a success, so each pass told anew that it failed, and that it worked again. */
  @Test
  void shouldFailAtItsEndWhenBucketsFailedBeforeARest() {
    // given
    restockManyBuckets(RestockRelay.PAGE_MAX / RestockRelay.FAILURES_MAX);
    scene.restock(5);
    scene.calls.answerOf(
        "restock", bucket -> bucket.skuId() != SKU, Future.failedFuture("refused"));
    List<String> told;

    // when
    try (LogWatch logs = LogWatch.of(BackgroundTask.class)) {
      scene.owner.relayOutbox();
      scene.owner.relayOutbox();
      scene.owner.relayOutbox();
      told = logs.lines();
    }

    // then
    assertThat(scene.redis().total()).as("after the last stretch").isEqualTo(15);
    assertThat(told)
        .filteredOn(line -> line.contains("task=\"restocks\""))
        .singleElement(STRING)
        .contains("background task failed");
  }

  @Test
  void shouldDoWhatFailedBeforeWhenThePassBeginsAnew() {
    // given
    restockManyBuckets(RestockRelay.PAGE_MAX / RestockRelay.FAILURES_MAX + 1);
    scene.calls.fail("restock", AWAY);
    scene.owner.relayOutbox();
    scene.calls.instead.clear();

    // when
    scene.owner.relayOutbox();
    scene.owner.relayOutbox();

    // then
    assertThat(scene.pending(OutboxKind.RESTOCK)).isEmpty();
  }

  @Test
  void shouldDoWhatWasBlockedInTheNextPass() {
    // given
    moreThanAPage();
    scene.calls.answerOf(
        "restock", OwnerScene.BUCKET::equals, Future.succeededFuture(BucketCode.LOADING));
    scene.owner.relayOutbox();
    scene.calls.instead.clear();

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.redis().total()).isEqualTo(10 + RestockRelay.PAGE_MAX + 1);
    assertThat(scene.pending(OutboxKind.RESTOCK)).isEmpty();
  }

  @Test
  void shouldLearnFromRedisThatTheFenceIsAnothers() {
    // given
    scene.restock(5);
    scene.clock.advance(Duration.ofSeconds(1));
    long term = scene.ledger.takeOver(OwnerScene.PARTITION, 0).result().term();
    scene.stock.freeze(OwnerScene.BUCKET, term);

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.lost).isTrue();
    assertThat(scene.pending(OutboxKind.RESTOCK)).hasSize(1);
  }

  @Test
  void shouldStayWhenTheFenceIsItsOwnWhateverRedisSays() {
    // given
    scene.restock(5);
    scene.calls.answer("restock", BucketCode.STALE_TERM);

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.lost).isFalse();
    assertThat(scene.pending(OutboxKind.RESTOCK)).hasSize(1);
  }

  /** Redis has not counted the units that buyers already hold. */
  @Test
  void shouldRebuildWhenALimitPerBuyerWasSwitchedOn() {
    // given
    long epoch = scene.row().epoch();
    scene.restock(5);
    scene.calls.answer("restock", BucketCode.NEEDS_REBUILD);

    // when
    scene.owner.relayOutbox();
    scene.calls.instead.clear();
    scene.settle();

    // then
    assertThat(scene.row().epoch()).isGreaterThan(epoch);
    assertThat(scene.pending(OutboxKind.RESTOCK)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {5, -5})
  void shouldDropWhatIsAboutABucketThatIsGone(long units) {
    // given
    scene.restock(units);
    scene.calls.answer("bucket", Optional.<BucketRow>empty());

    // when
    scene.work();

    // then
    assertThat(scene.pending(OutboxKind.RESTOCK)).isEmpty();
    assertThat(scene.calls.of("restock")).isEmpty();
    assertThat(scene.calls.of("take")).isEmpty();
  }

  @Test
  void shouldGoOnAtOnceBehindAFullPage() {
    // given
    moreThanAPage();

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.pending(OutboxKind.RESTOCK)).isEmpty();
  }

  private void moreThanAPage() {
    IntStream.range(0, RestockRelay.PAGE_MAX + 1).forEach(restock -> scene.restock(1));
  }

  /** Of another SKU, as many as may fail in a pass. */
  private void restockManyBuckets(int times) {
    scene.addSku(RestockRelay.FAILURES_MAX);
    IntStream.range(0, times)
        .forEach(n -> scene.ledger.restock(SKU + 1, "r" + n, RestockRelay.FAILURES_MAX));
  }

  @Test
  void shouldWaitForTheTimerWhenNothingOfAFullPageCanBeDone() {
    // given
    moreThanAPage();
    scene.stock.wipe();
    scene.calls.of("restock").clear();

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.calls.of("restock")).hasSize(1);
  }

  private long total(BucketId bucket) {
    return scene.stock.snapshot(bucket, List.of(), 0).result().total();
  }
}
