package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.LendResult;
import io.sluice.ledger.Move;
import io.sluice.ledger.OwnerRequest;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.BucketId;
import io.sluice.model.Sku;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests for units that nobody serves: each one is either served or withdrawn. */
abstract class WithdrawContract extends MoveScene {
  private static final Duration HOUR = Duration.ofHours(1);

  private Sku sku;

  @BeforeEach
  void openSku() {
    sku = sku(10, 3);
  }

  @Test
  void shouldWithdrawARequestThatNobodyHasServedForFiveSeconds() {
    // given
    OwnerRequest request = ask(sku, 0, 1);
    age(request, SkuLedger.UNSERVED_MAX);

    // when
    Set<BucketId> withdrawn = get(skus().borrow(List.of(borrow(sku, 2, 1))));

    // then
    assertThat(withdrawn).containsExactly(sku.placed(1).id());
    assertThat(get(skus().answer(request.id()))).contains(OutboxPayload.refused("withdrawn"));
    assertThat(requests(sku)).isEmpty();
  }

  @Test
  void shouldAskAnotherBucketAfterARequestWasWithdrawn() {
    // given
    age(ask(sku, 0, 1), SkuLedger.UNSERVED_MAX);
    get(skus().borrow(List.of(borrow(sku, 2, 1))));

    // when
    Set<BucketId> withdrawn = get(skus().borrow(List.of(borrow(sku, 2, 1))));

    // then
    assertThat(withdrawn).isEmpty();
    assertThat(requests(sku))
        .extracting(request -> request.borrow().orElseThrow())
        .containsExactly(borrow(sku, 2, 1));
  }

  @Test
  void shouldNotWithdrawARequestThatIsYounger() {
    // given
    age(ask(sku, 0, 1), SkuLedger.UNSERVED_MAX.dividedBy(4));

    // when
    Set<BucketId> withdrawn = get(skus().borrow(List.of(borrow(sku, 2, 1))));

    // then
    assertThat(withdrawn).isEmpty();
    assertThat(requests(sku)).hasSize(1);
  }

  @Test
  void shouldWithdrawOnlyForBucketsThatAskAgain() {
    // given
    age(ask(sku, 0, 1), HOUR);
    age(ask(sku, 0, 2), HOUR);

    // when
    Set<BucketId> withdrawn = get(skus().borrow(List.of(borrow(sku, 0, 2))));

    // then
    assertThat(withdrawn).containsExactly(sku.placed(2).id());
    assertThat(requests(sku))
        .extracting(request -> request.borrow().orElseThrow().to())
        .containsExactly(sku.placed(1));
  }

  /** Its intent moves the units, however long that takes. */
  @Test
  void shouldNotWithdrawARequestThatIsServed() {
    // given
    OwnerRequest request = ask(sku, 0, 1);
    LendResult served = lend(sku, request);
    age(request, HOUR);

    // when
    Set<BucketId> withdrawn = get(skus().borrow(List.of(borrow(sku, 2, 1))));
    get(ledger().answerRequests(List.of(request.id()), OutboxPayload.refused("no units")));

    // then
    assertThat(served).isEqualTo(LendResult.INTENDED);
    assertThat(withdrawn).isEmpty();
    assertThat(get(skus().answer(request.id()))).isEmpty();
    finish(intents(sku).get(0));
    assertThat(allotments(sku)).containsExactly(3L, 4L, 3L);
    assertThat(get(skus().answer(request.id()))).contains(OutboxPayload.moved(1));
  }

  /** Its owner has read it before. */
  @Test
  void shouldNotServeARequestThatIsWithdrawn() {
    // given
    OwnerRequest request = ask(sku, 0, 1);
    age(request, HOUR);
    get(skus().borrow(List.of(borrow(sku, 2, 1))));

    // when
    LendResult served = lend(sku, request);

    // then
    assertThat(served).isEqualTo(LendResult.NOTHING);
    assertThat(intents(sku)).isEmpty();
    assertThat(allotments(sku)).containsExactly(4L, 3L, 3L);
  }

  @Test
  void shouldServeTheOthersWhenOneOfThemIsWithdrawn() {
    // given
    OwnerRequest gone = ask(sku, 0, 1);
    OwnerRequest open = ask(sku, 0, 2);
    age(gone, HOUR);
    get(skus().borrow(List.of(borrow(sku, 2, 1))));

    // when
    LendResult served = lend(sku, gone, open);

    // then
    assertThat(served).isEqualTo(LendResult.INTENDED);
    finish(intents(sku).get(0));
    assertThat(allotments(sku)).containsExactly(3L, 3L, 4L);
  }

  /** One unit for each of them, from the first bucket. */
  private LendResult lend(Sku sku, OwnerRequest... asked) {
    BucketId from = sku.placed(0).id();
    Fence fence = own(from);
    return get(
        ledger()
            .lend(
                fence,
                new Move(
                    from,
                    0,
                    List.of(asked).stream()
                        .map(
                            request ->
                                part(
                                    sku,
                                    request,
                                    request.borrow().orElseThrow().to().id().bucket(),
                                    1))
                        .toList())));
  }
}
