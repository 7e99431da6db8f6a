package io.sluice.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.OrderJob.Action;
import io.sluice.ledger.OrderJob.State;
import org.junit.jupiter.api.Test;

class OrderJobTest {
  private static final OrderJob FRESH =
      OrderJob.wanted("rain", Action.REFUND_PAID, "phones-12", 0, "olga");

  @Test
  void shouldBeDoneWhenAPassHasFoundNothingToDo() {
    // when
    OrderJob after = FRESH.after(0, 0, 0, "7.0.1.500").after(0, 0, 2, "");

    // then
    assertThat(after.state()).isEqualTo(State.DONE);
    assertThat(after.refused()).isEqualTo(2);
  }

  @Test
  void shouldBeginAnotherPassWhenOneHasChangedOrders() {
    // when
    OrderJob after = FRESH.after(3, 0, 1, "7.0.1.500").after(0, 0, 1, "");

    // then
    assertThat(after.state()).isEqualTo(State.RUNNING);
    assertThat(after.place()).isEmpty();
    assertThat(after.undone()).isZero();
    assertThat(after.changed()).isEqualTo(3);
    assertThat(after.after(0, 0, 2, "").refused()).isEqualTo(2);
  }

  @Test
  void shouldBeginAnotherPassWhenAnOutcomeIsNotKnown() {
    // when
    OrderJob after = FRESH.after(0, 1, 0, "");

    // then
    assertThat(after.state()).isEqualTo(State.RUNNING);
    assertThat(after.changed()).isZero();
  }
}
