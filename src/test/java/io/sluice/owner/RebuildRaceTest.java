package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Batches;
import io.sluice.ledger.Fence;
import io.sluice.ledger.OwnerRequest;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.Step;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Reason;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.testkit.process.LogWatch;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An owner that is replaced during a rebuild; found by the explorer. */
class RebuildRaceTest {
  private final OwnerScene scene = OwnerScene.withStock(3);

  /**
   * Its head and pages were read at different times then, which is no inconsistency of the ledger.
   */
  @Test
  void shouldNotStopTheSaleWhenASuccessorHasCommittedBetweenHeadAndPages() {
    // given
    Grant grant = scene.placed("alice", 1);
    scene.work();
    scene.stock.wipe();
    scene.watched.beforeLoadRows =
        () -> {
          Command cancel = new Command.Cancel(grant.token(), Reason.BUYER);
          Batches.apply(scene.ledger, Step.check(successor()), List.of(cancel));
        };

    // when
    scene.settle();

    // then
    assertThat(scene.row().state()).isEqualTo(SkuState.OPEN);
    assertThat(scene.lost).isTrue();
  }

  @Test
  void shouldStepDownWhenRedisKnowsASuccessorInTheMidstOfALoad() {
    // given
    scene.placed("alice", 1);
    scene.work();
    scene.stock.wipe();
    scene.watched.beforeLoadRows = () -> scene.stock.freeze(OwnerScene.BUCKET, successor().term());

    // when
    scene.settle();

    // then
    assertThat(scene.lost).isTrue();
  }

  /** The ledger decides whose the partition is, already when the bucket is to be frozen. */
  @Test
  void shouldStepDownWhenRedisRefusesTheFreezeForASuccessor() {
    // given
    scene.stock.wipe();
    scene.calls.instead.put(
        "freeze",
        call -> {
          scene.stock.freeze(OwnerScene.BUCKET, successor().term());
          return null;
        });

    // when
    scene.work();

    // then
    assertThat(scene.lost).isTrue();
  }

  @Test
  void shouldTellWhyABucketCannotBeLoadedWhenRedisHasDroppedTheLoad() {
    // given
    scene.stock.wipe();
    scene.calls.answer("open", BucketCode.SUPERSEDED);

    // when
    try (LogWatch logs = LogWatch.of(Rebuilder.class)) {
      scene.settle();

      // then
      assertThat(logs.lines()).singleElement().asString().contains("RebuildSuperseded");
    }
    assertThat(scene.lost).isFalse();
  }

  /** A second rebuild would close the bucket for another grant deadline without need. */
  @Test
  void shouldNotRebuildAgainWhenARebuildEndsBetweenTheReadsOfTheWatch() {
    // given
    Promise<Void> answered = Promise.promise();
    scene.watched.bucketsAnswered = answered.future();
    scene.owner.watchBuckets();
    scene.watched.bucketsAnswered = Future.succeededFuture();
    scene.owner.serve(
        new OwnerRequest(
            99, OwnerScene.PARTITION, RequestKind.REBUILD, Optional.of(OwnerScene.BUCKET)));
    scene.settle();
    long rebuilt = scene.row().epoch();

    // when
    answered.complete();
    scene.settle();

    // then
    assertThat(scene.redis().code()).isEqualTo(BucketCode.OK);
    assertThat(scene.row().epoch()).isEqualTo(rebuilt);
  }

  private Fence successor() {
    return scene.ledger.takeOver(OwnerScene.PARTITION, 0).result();
  }
}
