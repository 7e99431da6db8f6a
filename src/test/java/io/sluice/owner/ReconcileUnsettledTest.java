package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Batches;
import io.sluice.ledger.Fence;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.Step;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Reason;
import io.vertx.core.Promise;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Buckets that agreed while something of them was on its way. */
class ReconcileUnsettledTest {
  private final OwnerScene scene = OwnerScene.withStock(10);

  /** Neither Redis nor the row of the bucket changes when the release is marked. */
  @Test
  void shouldFindAReleaseThatWasMarkedSentAndNeverReachedRedis() {
    // given
    scene.addSku(Reconciler.PAGE_MAX - 2);
    scene.calls.instead.put("release", call -> Promise.promise().future());
    Grant grant = scene.placed("alice", 2);
    scene.work();
    Fence fence = scene.ledger.fences().result().get(OwnerScene.PARTITION);
    Batches.apply(
        scene.ledger, Step.check(fence), List.of(new Command.Cancel(grant.token(), Reason.BUYER)));
    compareAll();
    int driftBefore = scene.reconcileReport().getInteger("drift");
    scene.ledger.sent(
        scene.ledger.pending(OwnerScene.PARTITION, OutboxKind.RELEASE, 0, 10).result());

    // when
    compareAll();

    // then
    assertThat(driftBefore).isZero();
    assertThat(scene.reconcileReport().getInteger("drift")).isEqualTo(1);
  }

  private void compareAll() {
    scene.owner.watchBuckets();
    scene.owner.reconcile();
  }
}
