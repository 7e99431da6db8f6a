package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.BucketRow;
import io.sluice.ledger.BucketRows;
import io.sluice.ledger.OwnerRequest;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RebuildFailuresTest {
  private static final Duration EARLIER_GRANTS = Duration.ofMillis(2_500);

  private final OwnerScene scene = OwnerScene.withStock(3);

  @Test
  void shouldStayShutUntilTheEndOfTheLogCanBeRead() {
    // given
    scene.stock.wipe();
    scene.work();
    scene.log.readable(false);
    scene.advance(EARLIER_GRANTS);
    scene.advance(EARLIER_GRANTS);
    BucketCode meanwhile = scene.redis().code();

    // when
    scene.log.readable(true);
    scene.settle();

    // then
    assertThat(meanwhile).isEqualTo(BucketCode.LOADING);
    assertThat(scene.redis().code()).isEqualTo(BucketCode.OK);
  }

  @Test
  void shouldAskTheLogAnewWhetherItHasWhatIsNextWhenItStartsOver() {
    // given
    long epoch = scene.row().epoch();
    scene.calls.answer("beginOffset", 100L);
    rebuild(Optional.of(OwnerScene.BUCKET));
    BucketCode meanwhile = scene.redis().code();

    // when
    scene.calls.instead.clear();
    scene.settle();

    // then
    assertThat(meanwhile).as("not frozen yet").isEqualTo(BucketCode.OK);
    assertThat(scene.row().epoch()).isGreaterThan(epoch);
    assertThat(scene.redis().code()).isEqualTo(BucketCode.OK);
  }

  @Test
  void shouldAnswerWhenTheBucketIsInAnotherPartitionNow() {
    // given
    long id = scene.ledger.request(RequestKind.REBUILD, OwnerScene.BUCKET).result();
    BucketRow row = scene.row();
    scene.stock.wipe();
    scene.calls.answer(
        "bucket",
        Optional.of(BucketRows.like(row, OwnerScene.PARTITION + 1, row.allotted(), row.sold())));

    // when
    scene.serveRequests();
    scene.settle();

    // then
    assertThat(scene.ledger.answer(id).result()).isPresent();
    assertThat(scene.row().epoch()).isEqualTo(row.epoch());
    assertThat(scene.redis().code()).isEqualTo(BucketCode.ABSENT);
  }

  @Test
  void shouldLoadABucketThatIsAskedForAndDoesNotServe() {
    // given
    scene.stock.wipe();
    scene.ledger.request(RequestKind.LOAD, OwnerScene.BUCKET);

    // when
    scene.serveRequests();
    scene.advance(EARLIER_GRANTS);

    // then
    assertThat(scene.redis().code()).isEqualTo(BucketCode.OK);
  }

  @Test
  void shouldLeaveABucketOpenThatIsAskedForAndServes() {
    // given
    long epoch = scene.row().epoch();
    long id = scene.ledger.request(RequestKind.LOAD, OwnerScene.BUCKET).result();

    // when
    scene.serveRequests();

    // then
    assertThat(scene.ledger.answer(id).result()).isPresent();
    assertThat(scene.row().epoch()).isEqualTo(epoch);
  }

  /** Redis may have seen a term that the ledger lost when it was put back. */
  @Test
  void shouldStartOverWhenRedisSaysThatTheTermIsStaleAndTheLedgerThatItIsNot() {
    // given
    scene.stock.wipe();
    scene.calls.answer("load", BucketCode.STALE_TERM);
    scene.work();
    scene.advance(EARLIER_GRANTS);
    int tries = scene.calls.of("load").size();

    // when
    scene.calls.instead.clear();
    scene.settle();

    // then
    assertThat(tries).isPositive();
    assertThat(scene.lost).isFalse();
    assertThat(scene.redis().code()).isEqualTo(BucketCode.OK);
  }

  @Test
  void shouldFreezeTheSkuOnceAndAnswerWhenItsCountersDifferFromItsOrders() {
    // given
    Grant paid = scene.placed("alice", 1);
    scene.placed("bob", 1);
    scene.append(new Command.Confirm(paid.token()));
    scene.work();
    scene.ledger.plantHeld(OwnerScene.BUCKET, 1);
    long id = scene.ledger.request(RequestKind.REBUILD, OwnerScene.BUCKET).result();

    // when
    scene.serveRequests();
    scene.settle();

    // then
    assertThat(scene.row().state()).isEqualTo(SkuState.FROZEN);
    assertThat(scene.calls.of("freezeSku"))
        .singleElement()
        .satisfies(
            call ->
                assertThat((String) call[1])
                    .contains("to hold 3 units as its counters say, but they hold 2"));
    assertThat(scene.ledger.answer(id).result()).isPresent();
    assertThat(scene.redis().code())
        .as("left closed for an operator")
        .isEqualTo(BucketCode.LOADING);
  }

  @Test
  void shouldCountSoldUnitsAsWellWhenItLooksWhetherOrdersAndCountersAgree() {
    // given
    Grant paid = scene.placed("alice", 1);
    scene.placed("bob", 1);
    scene.append(new Command.Confirm(paid.token()));
    scene.work();

    // when
    scene.stock.wipe();
    scene.settle();

    // then
    assertThat(scene.row().state()).isEqualTo(SkuState.OPEN);
    assertThat(scene.redis().code()).isEqualTo(BucketCode.OK);
    assertThat(scene.redis().available()).isEqualTo(1);
  }

  @Test
  void shouldRebuildAllBucketsOfAPartitionHoweverManyPagesTheyAre() {
    // given
    int others = Rebuilder.PAGE_MAX + 10;
    scene.addSku(others);
    long epoch = scene.row().epoch();

    // when
    rebuild(Optional.empty());
    scene.settle();

    // then
    assertThat(scene.row().epoch()).isEqualTo(epoch + 1);
    BucketId last = new BucketId(OwnerScene.BUCKET.skuId() + 1, others - 1);
    assertThat(scene.stock.snapshot(last, List.of(), 0).result().code()).isEqualTo(BucketCode.OK);
  }

  private void rebuild(Optional<BucketId> bucket) {
    scene.owner.serve(new OwnerRequest(99, OwnerScene.PARTITION, RequestKind.REBUILD, bucket));
  }
}
