package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.stock.BucketCode;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How many units move from buckets of an owner to those that ask for them, and when. */
class LenderTest extends LenderScene {
  @Test
  void shouldMoveAllOfABucketInWhichNobodyBuys() {
    // given
    onSale(40, 0, 0, 0);
    long request = ask(0, 1, 5);

    // when
    scene.serveRequests();

    // then
    assertThat(moved()).containsExactly(-40L, 40L, 0L, 0L);
    assertThat(available()).containsExactly(0L, 40L, 0L, 0L);
    assertThat(answer(request)).contains(OutboxPayload.moved(40));
  }

  @Test
  void shouldMoveWhatTheBuyersTakeInASecondWhenTheBucketSellsItself() {
    // given
    onSale(40, 0, 0, 0);
    buy(0, 1);
    ask(0, 1, 5);

    // when
    scene.serveRequests();

    // then
    assertThat(available()).containsExactly(34L, 5L, 0L, 0L);
  }

  @Test
  void shouldMoveHalfWhenTheBucketSellsItselfAndTheBuyersWantMore() {
    // given
    onSale(41, 0, 0, 0);
    buy(0, 1);
    ask(0, 1, 1_000);

    // when
    scene.serveRequests();

    // then
    assertThat(available()).containsExactly(20L, 20L, 0L, 0L);
  }

  @Test
  void shouldMoveTheLastUnitOfABucketThatSellsItself() {
    // given
    onSale(2, 0, 0, 0);
    buy(0, 1);
    ask(0, 1, 1);

    // when
    scene.serveRequests();

    // then
    assertThat(available()).containsExactly(0L, 1L, 0L, 0L);
  }

  @Test
  void shouldServeAllWhoWaitForABucketByOneIntent() {
    // given
    onSale(9, 0, 0, 0);
    Promise<Void> read = holdLooks();
    List.of(1, 2, 3).forEach(to -> ask(0, to, 1));
    scene.serveRequests();

    // when
    read.complete();

    // then
    assertThat(available()).containsExactly(0L, 3L, 3L, 3L);
    assertThat(scene.calls.of("lend")).hasSize(1);
    assertThat(scene.calls.of("take")).hasSize(1);
  }

  @Test
  void shouldMoveNothingWhileTheBucketThatAsksHasUnits() {
    // given
    onSale(9, 1, 0, 0);
    long request = ask(0, 1, 100);

    // when
    scene.serveRequests();

    // then
    assertThat(available()).containsExactly(9L, 1L, 0L, 0L);
    assertThat(answer(request)).contains(OutboxPayload.refused("no units"));
  }

  @Test
  void shouldRefuseWhenTheBucketIsEmptyOrNotServed() {
    // given
    onSale(9, 0, 0, 0);
    freeze(0);
    long ofFrozen = ask(0, 1, 100);
    long ofEmpty = ask(2, 3, 100);

    // when
    scene.serveRequests();

    // then
    assertThat(List.of(answer(ofFrozen), answer(ofEmpty)))
        .containsOnly(Optional.of(OutboxPayload.refused("no units")));
    assertThat(moved()).containsOnly(0L);
  }

  @Test
  void shouldRefuseWhenTheBucketThatAsksIsNotServed() {
    // given
    onSale(9, 0, 0, 0);
    freeze(1);
    long request = ask(0, 1, 100);

    // when
    scene.serveRequests();

    // then
    assertThat(answer(request)).contains(OutboxPayload.refused("no units"));
    assertThat(moved()).containsOnly(0L);
  }

  /** Else the last unit would wander between two buckets, and nobody would get it. */
  @Test
  void shouldKeepUnitsForAWhileThatHaveJustCome() {
    // given
    onSale(1, 0, 0, 0);
    ask(0, 1, 1);
    scene.serveRequests();
    ask(1, 2, 1);

    // when
    scene.serveRequests();
    List<Long> atFirst = available();
    scene.advance(Lender.KEEP);

    // then
    assertThat(atFirst).containsExactly(0L, 1L, 0L, 0L);
    assertThat(available()).containsExactly(0L, 0L, 1L, 0L);
  }

  /** Half of them, although nobody has bought any there: its buyers ask for the others. */
  @Test
  void shouldMoveSomeOfManyUnitsThatHaveJustCome() {
    // given
    int many = Lender.KEEP_MOST + 2;
    onSale(many, 0, 0, 0);
    ask(1, 3, 1);
    scene.serveRequests();
    ask(0, 1, 1);
    scene.serveRequests();
    ask(1, 2, many);

    // when
    scene.serveRequests();

    // then
    assertThat(available()).containsExactly(0L, many / 2L, many / 2L, 0L);
  }

  /** Redis may still show the units of the intent before. */
  @Test
  void shouldServeTheNextAfterTheIntentBefore() {
    // given
    onSale(8, 0, 0, 0);
    buy(0, 1);
    scene.calls.answer("take", BucketCode.STALE_TERM);
    ask(0, 1, 2);
    scene.serveRequests();
    ask(0, 2, 2);

    // when
    scene.serveRequests();
    int intents = scene.calls.of("lend").size();
    scene.calls.instead.clear();
    scene.owner.relayOutbox();

    // then
    assertThat(intents).isEqualTo(1);
    assertThat(available()).containsExactly(0L, 2L, 5L, 0L);
  }

  /** It asks another bucket then. */
  @Test
  void shouldRefuseAtOnceWhenTheIntentBeforeTakesAll() {
    // given
    onSale(8, 0, 0, 0);
    scene.calls.answer("take", BucketCode.STALE_TERM);
    ask(0, 1, 2);
    scene.serveRequests();
    long second = ask(0, 2, 2);

    // when
    scene.serveRequests();

    // then
    assertThat(answer(second)).contains(OutboxPayload.refused("no units"));
  }

  @Test
  void shouldLendNothingWhenTheSkuDoesNotSell() {
    // given
    onSale(8, 0, 0, 0);
    ask(0, 1, 2);
    scene.ledger.change(SKU, SkuLedger.StateChange.CLOSE);

    // when
    scene.serveRequests();

    // then
    assertThat(scene.calls.of("take")).isEmpty();
    assertThat(moved()).containsOnly(0L);
  }
}
