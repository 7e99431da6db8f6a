package io.sluice.grant;

import static io.sluice.grant.Desk.answer;
import static io.sluice.grant.Desk.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Refusal;
import io.sluice.order.OrderAnswer;
import io.sluice.order.OrderAnswer.NotNow;
import io.vertx.core.Future;
import org.junit.jupiter.api.Test;

/** A ledger that does not answer delays no request for longer than 2,000 ms. */
class SilentLedgerTest {
  private final Desk unit = new Desk();

  @Test
  void shouldAnswerUnavailableAtTheDeadlineWhenTheSkuCannotBeLearnt() {
    // given
    unit.ledger.hold();
    Future<PlacedOrder> placed = unit.place("alice");
    unit.time.advanceMs(1_999);
    boolean early = placed.isComplete();

    // when
    unit.time.advanceMs(1);

    // then
    assertThat(early).isFalse();
    assertThat(refusal(placed)).isEqualTo(Refusal.UNAVAILABLE);
  }

  @Test
  void shouldPlaceNothingWhenTheSkuIsLearntAfterTheAnswer() {
    // given
    unit.ledger.hold();
    unit.place("alice");
    unit.time.advanceMs(2_000);

    // when
    unit.ledger.release();

    // then
    assertThat(unit.stock.reserves).isEmpty();
  }

  @Test
  void shouldSayNotNowInTimeWhenAnOrderCannotBeRead() {
    // given
    unit.ledger.hold();
    Future<OrderAnswer> found = unit.orders.find(unit.token("alice"), order -> true);

    // when
    unit.time.advanceMs(2_000);

    // then
    assertThat(answer(found)).isEqualTo(new NotNow(false));
  }
}
