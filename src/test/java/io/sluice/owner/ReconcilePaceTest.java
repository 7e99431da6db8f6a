package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A partition with more buckets than a page of the reconciler has. */
class ReconcilePaceTest {
  private final OwnerScene scene = OwnerScene.withStock(10);

  @Test
  void shouldRestBetweenPagesWhenNobodyWaitsForTheReport() {
    // given
    int others = 2 * Reconciler.PAGE_MAX;
    scene.addSku(others);

    // when
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
}
