package io.sluice.owner.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.LedgerUnavailableException;
import io.sluice.ledger.Moves.Borrow;
import io.sluice.ledger.Outbox.OutboxRow;
import io.sluice.model.BucketId;
import io.sluice.model.PlacedBucket;
import io.sluice.owner.OwnerScene;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Units move from bucket to bucket of a SKU of three, each of which has one. */
class LenderTest {
  private static final long SKU = OwnerScene.BUCKET.skuId() + 1;

  private final OwnerScene scene = OwnerScene.withStock(1);

  @BeforeEach
  void addBuckets() {
    scene.addSku(3);
  }

  private void ask(int from, int to, long need) {
    scene.ledger.borrow(List.of(new Borrow(placed(from), placed(to), 0, need, need)));
    scene.serveRequests();
    for (int i = 0; i < 10; i++) {
      scene.owner.relayOutbox();
      scene.advance(Duration.ofMillis(500));
    }
  }

  private static PlacedBucket placed(int bucket) {
    return new PlacedBucket(OwnerScene.PARTITION, new BucketId(SKU, bucket));
  }

  private List<Long> units() {
    return scene.ledger.bucketsOf(SKU).result().stream()
        .map(row -> scene.stock.snapshot(row.id(), List.of(), 0).result().available())
        .toList();
  }

  @Test
  void shouldMoveWhatABucketMisses() {
    // when
    ask(0, 1, 2);

    // then
    assertThat(units()).containsExactly(0L, 2L, 1L);
  }

  @Test
  void shouldLendAgainWhenTheReplyAboutAMoveWasLost() {
    // given
    scene.calls.instead.put(
        "finishTake",
        call -> {
          scene.calls.instead.clear();
          return scene
              .ledger
              .finishTake(
                  scene.ledger.fences().result().get(OwnerScene.PARTITION),
                  (OutboxRow) call[1],
                  (long) call[2],
                  (long) call[3])
              .compose(
                  done ->
                      Future.failedFuture(
                          new LedgerUnavailableException("reply lost", new Exception())));
        });
    ask(0, 1, 2);
    List<Long> moved = units();
    ask(1, 0, 1);

    // when
    ask(0, 2, 2);

    // then
    assertThat(moved).containsExactly(0L, 2L, 1L);
    assertThat(units()).containsExactly(0L, 0L, 3L);
  }
}
