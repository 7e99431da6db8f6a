package io.sluice.owner.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.owner.OwnerScene;
import io.sluice.owner.booking.BookingPacer;
import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Future;
import org.junit.jupiter.api.Test;

/** A partition with more buckets than the reconciler reads in one page. */
class ReconcilePaceTest {
  private static final int SLICE_MS = 500;

  private final OwnerScene scene = OwnerScene.withStock(10);

  @Test
  void shouldRestBetweenPagesWhenNobodyWaitsForTheReport() {
    // given
    int others = 2 * Reconciler.PAGE_MAX;
    scene.addSku(others);

    // when
    scene.owner.reconcile();
    scene.owner.reconcile();
    scene.owner.reconcile();
    boolean doneAtOnce = scene.ledger.reports().result().containsKey(OwnerScene.PARTITION);
    scene.advance(Reconciler.REST);
    boolean doneAfterARest = scene.ledger.reports().result().containsKey(OwnerScene.PARTITION);
    scene.advance(Reconciler.REST);

    // then
    assertThat(doneAtOnce).isFalse();
    assertThat(doneAfterARest).isFalse();
    assertThat(scene.reconcileReport().getInteger("compared")).isEqualTo(1 + others);
  }

  @Test
  void shouldNotRestWhenSomebodyAsksMeanwhile() {
    // given
    int others = 2 * Reconciler.PAGE_MAX;
    scene.addSku(others);
    scene.owner.reconcile();
    long request = scene.ledger.requestReconcile(OwnerScene.PARTITION).result();

    // when
    scene.serveRequests();

    // then
    assertThat(scene.ledger.answer(request).result()).isPresent();
    assertThat(scene.reconcileReport().getInteger("compared")).isEqualTo(1 + others);
  }

  @Test
  void shouldRestLongerWhileBookingRestsAsWell() {
    // given
    int others = 2 * Reconciler.PAGE_MAX;
    scene.addSku(others);
    scene.stampede(SLICE_MS);
    scene.placed("alice", 1);
    scene.work();
    scene.placed("bob", 1);
    scene.work();

    // when
    scene.owner.reconcile();
    scene.nap(17);
    boolean afterTwoRests = scene.ledger.reports().result().containsKey(OwnerScene.PARTITION);
    scene.nap(17);

    // then
    assertThat(afterTwoRests).isFalse();
    assertThat(scene.reconcileReport().getInteger("compared")).isEqualTo(1 + others);
  }

  @Test
  void shouldGoOnSomeTimeWhenTheStampedeDoesNotEnd() {
    // given
    scene.addSku(Reconciler.PAGE_MAX);
    scene.stampede(SLICE_MS);
    Grant grant = scene.placed("alice", 1);
    scene.work();
    scene.owner.reconcile();

    // when
    long naps = Reconciler.REST.multipliedBy(Reconciler.RESTS_MAX).dividedBy(BookingPacer.NAP);
    for (int nap = 0; nap < naps; nap++) {
      scene.append(new Command.Reserve(grant, null));
      scene.work();
      scene.nap(1);
    }

    // then
    assertThat(scene.reconcileReport().getInteger("compared")).isEqualTo(1 + Reconciler.PAGE_MAX);
  }

  /** Otherwise the pass would never get beyond that bucket. */
  @Test
  void shouldGoOnBehindABucketThatFailedAndSayThatItDid() {
    // given
    int others = 3;
    scene.addSku(others);
    scene.calls.instead.put(
        "snapshot",
        call ->
            call[0].equals(OwnerScene.BUCKET)
                ? Future.failedFuture(new StockUnavailableException("away", null))
                : null);
    scene.owner.reconcile();
    boolean told = scene.ledger.reports().result().containsKey(OwnerScene.PARTITION);

    // when
    scene.owner.reconcile();

    // then
    assertThat(told).isFalse();
    assertThat(scene.reconcileReport().getInteger("compared")).isEqualTo(others);
    assertThat(scene.reconcileReport().getJsonObject("passed_over").getInteger("failed"))
        .isEqualTo(1);
  }

  /** Otherwise each wake would start the pass over, and compare the same buckets again. */
  @Test
  void shouldGoOnWithThePassUnderWayWhenOneMoreIsDue() {
    // given
    int others = 2 * Reconciler.PAGE_MAX;
    scene.addSku(others);
    scene.owner.reconcile();

    // when
    scene.owner.reconcile();
    scene.advance(Reconciler.REST);
    scene.advance(Reconciler.REST);
    scene.advance(Reconciler.REST);

    // then
    assertThat(scene.reconcileReport().getInteger("compared")).isEqualTo(1 + others);
    assertThat(scene.calls.of("reported")).hasSize(1);
  }
}
