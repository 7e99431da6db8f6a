package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Future;
import org.junit.jupiter.api.Test;

/** A partition with more buckets than the reconciler reads in one page. */
class ReconcilePaceTest {
  private static final int OTHERS = 2 * Reconciler.PAGE_MAX;

  private final OwnerScene scene = OwnerScene.withStock(10);

  @Test
  void shouldRestBetweenPagesWhenNobodyWaitsForTheReport() {
    // given
    scene.addSku(OTHERS);

    // when
    scene.owner.reconcile();
    scene.owner.reconcile();
    scene.owner.reconcile();
    boolean doneAtOnce = isReported();
    scene.advance(Reconciler.REST);
    boolean doneAfterARest = isReported();
    scene.advance(Reconciler.REST);

    // then
    assertThat(doneAtOnce).isFalse();
    assertThat(doneAfterARest).isFalse();
    assertThat(compared()).isEqualTo(1 + OTHERS);
  }

  @Test
  void shouldNotRestWhenSomebodyAsksMeanwhile() {
    // given
    scene.addSku(OTHERS);
    scene.owner.reconcile();
    long request = scene.ledger.requestReconcile(OwnerScene.PARTITION).result();

    // when
    scene.serveRequests();

    // then
    assertThat(scene.ledger.answer(request).result()).isPresent();
    assertThat(compared()).isEqualTo(1 + OTHERS);
  }

  @Test
  void shouldRestLongerInAStampede() {
    // given
    scene.addSku(OTHERS);
    scene.isStampede = true;

    // when
    scene.owner.reconcile();
    scene.advance(Reconciler.REST);
    scene.advance(Reconciler.REST);
    boolean afterTwoRests = isReported();
    scene.isStampede = false;
    scene.advance(Reconciler.REST);
    scene.advance(Reconciler.REST);

    // then
    assertThat(afterTwoRests).isFalse();
    assertThat(compared()).isEqualTo(1 + OTHERS);
  }

  @Test
  void shouldGoOnSomeTimeWhenTheStampedeDoesNotEnd() {
    // given
    scene.addSku(Reconciler.PAGE_MAX);
    scene.isStampede = true;
    scene.owner.reconcile();

    // when
    for (int rest = 0; rest < Reconciler.RESTS_MAX; rest++) {
      scene.advance(Reconciler.REST);
    }

    // then
    assertThat(compared()).isEqualTo(1 + Reconciler.PAGE_MAX);
  }

  /** Otherwise the pass would never get beyond that bucket. */
  @Test
  void shouldGoOnBehindABucketThatFailedAndSayThatItDid() {
    // given
    int others = 3;
    scene.addSku(others);
    Future<?> away = Future.failedFuture(new StockUnavailableException("away", null));
    scene.calls.answerOf("snapshot", OwnerScene.BUCKET::equals, away);
    scene.owner.reconcile();
    boolean told = isReported();

    // when
    scene.owner.reconcile();

    // then
    assertThat(told).isFalse();
    assertThat(compared()).isEqualTo(others);
    assertThat(scene.reconcileReport().getJsonObject("passed_over").getInteger("failed"))
        .isEqualTo(1);
  }

  /** Otherwise each wake would start the pass over, and compare the same buckets again. */
  @Test
  void shouldGoOnWithThePassUnderWayWhenOneMoreIsDue() {
    // given
    scene.addSku(OTHERS);
    scene.owner.reconcile();

    // when
    scene.owner.reconcile();
    scene.advance(Reconciler.REST);
    scene.advance(Reconciler.REST);
    scene.advance(Reconciler.REST);

    // then
    assertThat(compared()).isEqualTo(1 + OTHERS);
    assertThat(scene.calls.of("reported")).hasSize(1);
  }

  /** A comparison is a transaction. */
  @Test
  void shouldCompareOneOfEachPageWhenRedisHasWrittenNothingSinceAllAgreed() {
    // given
    scene.addSku(OTHERS);
    wholePass();
    scene.calls.of("compare").clear();

    // when
    wholePass();

    // then
    assertThat(scene.calls.of("compare")).hasSize(3);
    assertThat(compared()).isEqualTo(1 + OTHERS);
  }

  /** In case that the reasoning has a hole. */
  @Test
  void shouldCompareEachInTimeWhenNothingHappens() {
    // given
    int others = Reconciler.PAGE_MAX / 2;
    scene.addSku(others);
    wholePass();
    scene.calls.of("compare").clear();

    // when
    for (int pass = 0; pass <= others; pass++) {
      wholePass();
    }

    // then
    assertThat(scene.calls.of("compare").stream().map(call -> call[1]).distinct())
        .hasSize(1 + others);
  }

  @Test
  void shouldRestLongerWhenAPageHasNothingToCompare() {
    // given
    scene.addSku(OTHERS);
    wholePass();
    scene.calls.of("reported").clear();

    // when
    scene.owner.reconcile();
    rest(2 * Reconciler.RESTS_MAX - 1);
    boolean doneBefore = !scene.calls.of("reported").isEmpty();
    rest(1);

    // then
    assertThat(doneBefore).isFalse();
    assertThat(scene.calls.of("reported")).hasSize(1);
  }

  @Test
  void shouldGoOnSoonWhenRedisWritesSomethingMeanwhile() {
    // given
    scene.addSku(OTHERS);
    wholePass();
    scene.owner.reconcile();
    scene.calls.of("reported").clear();

    // when
    scene.stock.plant(new BucketId(OwnerScene.BUCKET.skuId() + 1, OTHERS - 1), 0, 1, 0, 0);
    rest(2);

    // then
    assertThat(scene.calls.of("reported")).hasSize(1);
    assertThat(scene.reconcileReport().getInteger("drift")).isEqualTo(1);
  }

  @Test
  void shouldCompareAllWhenRedisHasWrittenSomething() {
    // given
    scene.addSku(OTHERS);
    wholePass();
    scene.stock.plant(OwnerScene.BUCKET, 0, 1, 0, 0);

    // when
    wholePass();

    // then
    assertThat(scene.reconcileReport().getInteger("drift")).isEqualTo(1);
  }

  @Test
  void shouldCompareABucketWhenItsRowWasChangedBehindTheOwnersBack() {
    // given
    scene.addSku(Reconciler.PAGE_MAX - 1);
    wholePass();
    scene.ledger.plantHeld(new BucketId(OwnerScene.BUCKET.skuId() + 1, 30), 1);

    // when
    wholePass();

    // then
    assertThat(scene.reconcileReport().getInteger("drift")).isEqualTo(1);
  }

  @Test
  void shouldCompareAllWhenSomebodyAsks() {
    // given
    scene.addSku(OTHERS);
    wholePass();
    scene.calls.of("compare").clear();

    // when
    scene.ledger.requestReconcile(OwnerScene.PARTITION);
    scene.serveRequests();

    // then
    assertThat(scene.calls.of("compare")).hasSize(1 + OTHERS);
  }

  private boolean isReported() {
    return scene.ledger.reports().result().containsKey(OwnerScene.PARTITION);
  }

  private int compared() {
    return scene.reconcileReport().getInteger("compared");
  }

  /** Lets a pass begin and end, also one that rests as long as it may. */
  private void wholePass() {
    scene.owner.watchBuckets();
    int before = scene.calls.of("reported").size();
    for (int rest = 0; scene.calls.of("reported").size() == before; rest++) {
      assertThat(rest).isLessThanOrEqualTo(4 * Reconciler.RESTS_MAX);
      scene.owner.reconcile();
      rest(1);
    }
  }

  private void rest(int times) {
    for (int i = 0; i < times; i++) {
      scene.owner.watchBuckets();
      scene.advance(Reconciler.REST);
    }
  }
}
