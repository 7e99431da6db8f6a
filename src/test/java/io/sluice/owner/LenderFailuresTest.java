package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.LendResult;
import io.sluice.ledger.LedgerUnavailableException;
import io.sluice.ledger.Move;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OwnerRequest;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.BucketId;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Replies that are lost, and requests that end, while units move. */
class LenderFailuresTest extends LenderScene {
  private static final LedgerUnavailableException LOST_REPLY =
      new LedgerUnavailableException("the reply was lost", null);

  @Test
  void shouldMoveOnceWhenTheRequestIsReadTwice() {
    // given
    onSale(8, 0, 0, 0);
    buy(0, 1);
    ask(0, 1, 2);
    List<OwnerRequest> read = open();
    scene.calls.answer("take", BucketCode.STALE_TERM);
    read.forEach(scene.owner::serve);

    // when
    read.forEach(scene.owner::serve);
    scene.calls.instead.clear();
    scene.owner.relayOutbox();
    read.forEach(scene.owner::serve);

    // then
    assertThat(moved()).containsExactly(-2L, 2L, 0L, 0L);
  }

  @Test
  void shouldMoveNothingWhenTheRequestIsWithdrawnBeforeItIsServed() {
    // given
    onSale(8, 0, 0, 0);
    long request = ask(0, 1, 2);
    List<OwnerRequest> read = open();
    scene.ledger.age(request, SkuLedger.UNSERVED_MAX);
    assertThat(scene.ledger.borrow(List.of(borrow(2, 1, 2))).result()).hasSize(1);

    // when
    read.forEach(scene.owner::serve);

    // then
    assertThat(moved()).containsOnly(0L);
    assertThat(answer(request)).contains(OutboxPayload.refused("withdrawn"));
    assertThat(scene.calls.of("take")).isEmpty();
  }

  /** The owner looks at Redis, and an instance withdraws the request meanwhile. */
  @Test
  void shouldMoveNothingWhenTheRequestIsWithdrawnWhileItIsServed() {
    // given
    onSale(8, 0, 0, 0);
    long request = ask(0, 1, 2);
    scene.ledger.age(request, SkuLedger.UNSERVED_MAX);
    first(
        "lend",
        arguments -> {
          scene.ledger.borrow(List.of(borrow(2, 1, 2)));
          return null;
        });

    // when
    scene.serveRequests();

    // then
    assertThat(scene.calls.of("lend")).isNotEmpty();
    assertThat(moved()).containsOnly(0L);
    assertThat(answer(request)).contains(OutboxPayload.refused("withdrawn"));
  }

  @Test
  void shouldMoveOnceWhenTheReplyToTheIntentIsLost() {
    // given
    onSale(8, 0, 0, 0);
    buy(0, 1);
    ask(0, 1, 2);
    first("lend", this::lendAndLoseTheReply);

    // when
    scene.serveRequests();
    scene.serveRequests();

    // then
    assertThat(available()).containsExactly(5L, 2L, 0L, 0L);
  }

  @Test
  void shouldTakeOnceWhenTheReplyOfRedisIsLost() {
    // given
    onSale(8, 0, 0, 0);
    buy(0, 1);
    ask(0, 1, 2);
    first(
        "take",
        arguments ->
            scene
                .stock
                .take((BucketId) arguments[0], (long) arguments[1], (StockStore.Take) arguments[2])
                .compose(
                    taken -> Future.failedFuture(new StockUnavailableException("lost", null))));

    // when
    scene.serveRequests();
    scene.owner.relayOutbox();

    // then
    assertThat(scene.calls.of("take")).hasSize(2);
    assertThat(available()).containsExactly(5L, 2L, 0L, 0L);
  }

  /** Its row is done then, and no pass reads it again. */
  @Test
  void shouldGoOnLendingWhenTheReplyToTheEndOfAMoveIsLost() {
    // given
    onSale(8, 0, 0, 0);
    buy(0, 1);
    ask(0, 1, 2);
    first("finishTake", this::finishAndLoseTheReply);
    scene.serveRequests();
    scene.owner.relayOutbox();
    ask(0, 2, 2);

    // when
    scene.serveRequests();
    scene.owner.relayOutbox();

    // then
    assertThat(available()).containsExactly(0L, 2L, 5L, 0L);
  }

  /** It would not ask another bucket for as long as this one is shut. */
  @Test
  void shouldAnswerTheRequestWhenTheBucketIsShutBeforeItGivesUnits() {
    // given
    onSale(8, 0, 0, 0);
    long request = ask(0, 1, 2);
    first(
        "take",
        arguments -> {
          freeze(0);
          return Future.succeededFuture(BucketCode.LOADING);
        });

    // when
    scene.serveRequests();

    // then
    assertThat(answer(request)).isPresent();
    assertThat(moved()).containsOnly(0L);
    assertThat(open()).isEmpty();
  }

  @Test
  void shouldAnswerTheRequestWhenARestockThatWaitsIsBeforeTheMove() {
    // given
    onSale(8, 0, 0, 0);
    long request = ask(0, 1, 2);
    scene.calls.answer("restock", BucketCode.LOADING);
    first(
        "lend",
        arguments -> {
          scene.ledger.restock(SKU, "r1", 40);
          freeze(0);
          return null;
        });

    // when
    scene.serveRequests();
    scene.owner.relayOutbox();

    // then
    assertThat(answer(request)).isPresent();
    assertThat(open()).isEmpty();
  }

  @Test
  void shouldStepDownWhenTheFenceIsLost() {
    // given
    onSale(8, 0, 0, 0);
    ask(0, 1, 2);
    scene.ledger.takeOver(OwnerScene.PARTITION, 0);

    // when
    scene.serveRequests();

    // then
    assertThat(scene.lost).isTrue();
    assertThat(moved()).containsOnly(0L);
  }

  @Test
  void shouldMoveWhatItsPredecessorHasIntended() {
    // given
    onSale(8, 0, 0, 0);
    ask(0, 1, 2);
    scene.calls.answer("take", BucketCode.STALE_TERM);
    scene.serveRequests();
    List<Long> atFirst = moved();
    scene.calls.instead.clear();

    // when
    scene.takeOver();
    scene.settle();

    // then
    assertThat(atFirst).containsOnly(0L);
    assertThat(available()).containsExactly(0L, 8L, 0L, 0L);
  }

  private Future<LendResult> lendAndLoseTheReply(Object[] arguments) {
    return scene
        .ledger
        .lend((Fence) arguments[0], (Move) arguments[1])
        .compose(done -> Future.failedFuture(LOST_REPLY));
  }

  private Future<?> finishAndLoseTheReply(Object[] arguments) {
    return scene
        .ledger
        .finishTake(
            (Fence) arguments[0],
            (OutboxRow) arguments[1],
            (long) arguments[2],
            (long) arguments[3])
        .compose(done -> Future.failedFuture(LOST_REPLY));
  }

  /** Answers the first call of this method so; further ones reach the store. */
  private void first(String method, Function<Object[], Future<?>> answer) {
    scene.calls.instead.put(
        method,
        arguments -> {
          scene.calls.instead.remove(method);
          return answer.apply(arguments);
        });
  }
}
