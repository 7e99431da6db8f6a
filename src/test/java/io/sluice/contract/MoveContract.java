package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.LendResult;
import io.sluice.ledger.Ledger.TakeResult;
import io.sluice.ledger.Move;
import io.sluice.ledger.Move.Part;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OwnerRequest;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.BucketId;
import io.sluice.model.Sku;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How units move between the buckets of a SKU. */
abstract class MoveContract extends MoveScene {

  private Sku sku;

  @BeforeEach
  void openSku() {
    sku = sku(10, 3);
  }

  @Test
  void shouldKeepOneRequestForABucketUntilItIsClosed() {
    // when
    boolean first = get(skus().borrow(List.of(borrow(sku, 0, 1), borrow(sku, 0, 2)))).isEmpty();
    get(skus().borrow(List.of(borrow(sku, 2, 1))));

    // then
    assertThat(first).isTrue();
    assertThat(requests(sku))
        .extracting(request -> request.borrow().orElseThrow())
        .containsExactlyInAnyOrder(borrow(sku, 0, 1), borrow(sku, 0, 2));
  }

  @Test
  void shouldMoveUnitsInOneTransactionWhenRedisHasTakenThem() {
    // given
    OutboxRow intent = intend(sku, 2, 1);

    // when
    TakeResult done = finish(intent);
    TakeResult again = finish(intent);

    // then
    assertThat(List.of(done, again)).containsOnly(TakeResult.DONE);
    assertThat(allotments(sku)).containsExactly(1L, 5L, 4L);
    assertThat(known(sku.skuId()).totalStock()).isEqualTo(10);
    assertThat(row(new BucketId(sku.skuId(), 1)).skuTotal()).isEqualTo(OptionalLong.of(10));
    assertThat(requests(sku)).isEmpty();
    assertThat(intents(sku)).isEmpty();
    assertThat(received(sku)).containsExactlyInAnyOrder(1, 2);
  }

  @Test
  void shouldLeaveTheAllotmentsWhenRedisHasTooFew() {
    // given
    OutboxRow intent = intend(sku, 2, 1);
    BucketRow from = row(new BucketId(sku.skuId(), 0));

    // when
    TakeResult result =
        get(ledger().refuseTake(own(from.id()), intent, from.epoch(), from.version()));

    // then
    assertThat(result).isEqualTo(TakeResult.DONE);
    assertThat(allotments(sku)).containsExactly(4L, 3L, 3L);
    assertThat(requests(sku)).isEmpty();
    assertThat(get(skus().borrow(List.of(borrow(sku, 0, 1))))).isEmpty();
    assertThat(requests(sku)).as("it may ask again").hasSize(1);
  }

  @Test
  void shouldChangeNothingWhenTheBucketHasChangedSinceRedisAnswered() {
    // given
    OutboxRow intent = intend(sku, 2, 1);
    BucketRow from = row(new BucketId(sku.skuId(), 0));
    get(ledger().raiseEpoch(own(from.id()), from.id(), 0));

    // when
    TakeResult result =
        get(ledger().finishTake(own(from.id()), intent, from.epoch(), from.version()));

    // then
    assertThat(result).isEqualTo(TakeResult.BUCKET_CHANGED);
    assertThat(allotments(sku)).containsExactly(4L, 3L, 3L);
    assertThat(intents(sku)).hasSize(1);
  }

  @Test
  void shouldServeARequestOnce() {
    // given
    OwnerRequest request = ask(sku, 0, 2);
    BucketId from = new BucketId(sku.skuId(), 0);
    Fence fence = own(from);
    Move move = new Move(from, 0, List.of(part(sku, request, 2, 1)));

    // when
    LendResult first = get(ledger().lend(fence, move));
    LendResult again = get(ledger().lend(fence, move));

    // then
    assertThat(List.of(first, again)).containsExactly(LendResult.INTENDED, LendResult.NOTHING);
    assertThat(intents(sku)).hasSize(1);
    assertThat(requests(sku)).isEmpty();
  }

  @Test
  void shouldNotLendWhenTheSkuDoesNotSellOrIsInAnotherSaleOrTheFenceIsLost() {
    // given
    OwnerRequest request = ask(sku, 0, 1);
    BucketId from = new BucketId(sku.skuId(), 0);
    Fence old = own(from);
    Fence fence = own(from);
    List<Part> parts = List.of(part(sku, request, 1, 1));

    // when
    LendResult zombie = get(ledger().lend(old, new Move(from, 0, parts)));
    LendResult otherSale = get(ledger().lend(fence, new Move(from, 7, parts)));
    change(sku.skuId(), StateChange.FREEZE);
    LendResult frozen = get(ledger().lend(fence, new Move(from, 0, parts)));
    change(sku.skuId(), StateChange.UNFREEZE);
    change(sku.skuId(), StateChange.CLOSE);
    LendResult closed = get(ledger().lend(fence, new Move(from, 0, parts)));

    // then
    assertThat(zombie).isEqualTo(LendResult.FENCE_LOST);
    assertThat(List.of(otherSale, frozen, closed)).containsOnly(LendResult.NOTHING);
    assertThat(intents(sku)).isEmpty();
  }

  @Test
  void shouldGiveTheUnitsBackWhenTheSkuHasBegunToEnd() {
    // given
    OutboxRow intent = intend(sku, 2, 1);
    change(sku.skuId(), StateChange.END);

    // when
    TakeResult result = finish(intent);

    // then
    assertThat(result).isEqualTo(TakeResult.DONE);
    assertThat(allotments(sku)).containsExactly(4L, 3L, 3L);
    assertThat(requests(sku)).isEmpty();
  }

  @Test
  void shouldTellAllBucketsTheTotalWhenUnitsWereTakenBackFromSome() {
    // given
    Sku sku = sku(10, 2);
    restock(sku.skuId(), "r1", -4);
    List<Long> before = versions(sku);

    // when
    takes(sku).forEach(this::finish);

    // then
    assertThat(allotments(sku)).containsExactly(3L, 3L);
    assertThat(row(new BucketId(sku.skuId(), 0)).skuTotal()).isEqualTo(OptionalLong.of(6));
    assertThat(versions(sku)).allMatch(version -> version > before.get(0) + 1);
  }
}
