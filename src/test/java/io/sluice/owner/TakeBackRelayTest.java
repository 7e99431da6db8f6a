package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Fence;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Take-backs: Redis gives the units up first, then the ledger. */
class TakeBackRelayTest {
  private static final StockUnavailableException AWAY = new StockUnavailableException("away", null);

  private final OwnerScene scene = OwnerScene.withStock(10);

  @BeforeEach
  void forgetTheFirstLoad() {
    scene.calls.of("restock").clear();
  }

  @Test
  void shouldHoldWhatIsBehindAnIntentThatCannotBeDoneYet() {
    // given
    scene.restock(-3);
    scene.restock(5);
    scene.calls.answer("take", BucketCode.LOADING);

    // when
    scene.owner.relayOutbox();
    int whileItWaits = scene.pending(OutboxKind.RESTOCK).size();
    scene.calls.instead.clear();
    scene.owner.relayOutbox();

    // then
    assertThat(whileItWaits).isEqualTo(2);
    assertThat(scene.row().allotted()).isEqualTo(12);
    assertThat(scene.redis().total()).isEqualTo(12);
    assertThat(scene.pending(OutboxKind.RESTOCK)).as("the total that the end leaves").hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = BucketCode.class,
      names = {"ABSENT", "LOST", "LOADING", "SUPERSEDED"})
  void shouldAskAgainLaterWhenRedisCannotGiveUnitsUpNow(BucketCode now) {
    // given
    scene.restock(-3);
    scene.calls.answer("take", now);
    scene.owner.relayOutbox();
    long meanwhile = scene.row().allotted();

    // when
    scene.calls.instead.clear();
    scene.owner.relayOutbox();

    // then
    assertThat(meanwhile).isEqualTo(10);
    assertThat(scene.row().allotted()).isEqualTo(7);
    assertThat(scene.redis().total()).isEqualTo(7);
    assertThat(scene.lost).isFalse();
  }

  @Test
  void shouldAskForNoUnitsOfABucketThatIsAway() {
    // given
    scene.restock(-3);
    scene.stock.wipe();

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.calls.of("take")).isEmpty();
    assertThat(scene.pending(OutboxKind.RESTOCK)).hasSize(1);
  }

  /** Redis decides a take once, also if its answer was lost. */
  @Test
  void shouldTakeOnceWhenTheAnswerOfRedisWasLost() {
    // given
    scene.restock(-3);
    scene.calls.loseReply("take", AWAY);
    scene.owner.relayOutbox();

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.redis().total()).isEqualTo(7);
    assertThat(scene.row().allotted()).isEqualTo(7);
  }

  @Test
  void shouldGoOnBehindATakeThatIsRefused() {
    // given
    for (int i = 0; i < 8; i++) {
      scene.grant("buyer" + i, 1);
    }
    scene.restock(-9);
    scene.restock(5);

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.pending(OutboxKind.RESTOCK)).isEmpty();
    assertThat(scene.row().allotted()).isEqualTo(15);
    assertThat(scene.redis().total()).isEqualTo(15);
  }

  /** As by an earlier owner whose reply was lost: the units are already given up. */
  @Test
  void shouldTakeNothingWhenTheIntentIsDoneSinceItWasRead() {
    // given
    scene.restock(-3);
    OutboxRow intent =
        scene.ledger.pending(OwnerScene.PARTITION, OutboxKind.RESTOCK, 0, 1).result().get(0);
    scene.owner.relayOutbox();
    scene.calls.of("take").clear();
    scene.calls.instead.put(
        "pending",
        call ->
            call[1] == OutboxKind.RESTOCK && (long) call[2] == 0
                ? Future.succeededFuture(List.of(intent))
                : null);

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.calls.of("take")).isEmpty();
    assertThat(scene.redis().total()).isEqualTo(7);
  }

  @Test
  void shouldAskAgainWhenTheBucketWasRebuiltSinceRedisAnswered() {
    // given
    scene.restock(-3);
    scene.calls.once(
        "finishTake",
        call ->
            scene.ledger.finishTake(
                (Fence) call[0], (OutboxRow) call[1], (long) call[2] - 1, (long) call[3]));
    scene.owner.relayOutbox();
    long meanwhile = scene.row().allotted();

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(meanwhile).isEqualTo(10);
    assertThat(scene.row().allotted()).isEqualTo(7);
  }

  @Test
  void shouldStepDownWhenTheFenceIsAnothersAsATakeEnds() {
    // given
    scene.restock(-3);
    scene.calls.instead.put(
        "finishTake",
        call -> {
          scene.ledger.takeOver(OwnerScene.PARTITION, 0);
          return null;
        });

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.lost).isTrue();
    assertThat(scene.row().allotted()).isEqualTo(10);
  }
}
