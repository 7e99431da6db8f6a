package io.sluice.ledger.rules;

import static io.sluice.ledger.rules.BatchScene.BUCKET;
import static io.sluice.ledger.rules.BatchScene.EPOCH;
import static io.sluice.ledger.rules.BatchScene.TOKENS;
import static io.sluice.ledger.rules.BatchScene.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.Order;
import io.sluice.model.OrderNotes;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OverdueHoldsTest {
  private static final Grant GRANT =
      Grants.of(token(9), "user-9", 2, 9, EPOCH, 1_000_000, 1_300_000);

  private final OverdueHolds unit = new OverdueHolds();

  /** The units of another bucket make no room in this one. */
  @Test
  void shouldEndNoHoldOfAnotherBucketWhenTheBatchHasBoth() {
    // given
    Order other = hold(TOKENS.tokenFor("user-1", new BucketId(BUCKET.skuId(), 1), null));
    Order ours = hold(token(2));

    // when
    Order first = unit.next(List.of(BUCKET), GRANT, List.of(other, ours));
    Order second = unit.next(List.of(BUCKET), GRANT, List.of(other, ours));

    // then
    assertThat(first).isEqualTo(ours);
    assertThat(second).isNull();
  }

  /** A batch that is repeated must end the same holds. */
  @Test
  void shouldEndTheSameHoldFirstInWhateverOrderTheyWereRead() {
    // given
    List<Order> holds =
        Stream.of(hold(token(1)), hold(token(2)), hold(token(3)))
            .sorted(Comparator.comparing((Order hold) -> hold.token().value()).reversed())
            .toList();

    // when
    Order first = unit.next(List.of(BUCKET), GRANT, holds);

    // then
    assertThat(first).isEqualTo(holds.get(2));
  }

  @Test
  void shouldEndTheOldestHoldOfSeveralBuckets() {
    // given
    BucketId second = new BucketId(BUCKET.skuId(), 1);
    Order older = hold(TOKENS.tokenFor("user-1", second, null), 400_000);
    List<Order> holds = List.of(hold(token(2)), older);

    // when
    Order first = unit.next(List.of(BUCKET, second), GRANT, holds);

    // then
    assertThat(first).isEqualTo(older);
  }

  @Test
  void shouldEndNoHoldThatHasEndedOrWhosePaymentTimeWasExtended() {
    // given
    Order paid =
        new Order(
            Grants.of(token(1), "user", 2, 7, EPOCH, 1_000, 500_000),
            new Order.Life(OrderStatus.CONFIRMED, null, 2, 0, 1_500, OrderNotes.NONE),
            false);
    Order extended = hold(token(2)).extended(600_000, 2_000);

    // when
    Order next = unit.next(List.of(BUCKET), GRANT, List.of(paid, extended));

    // then
    assertThat(next).isNull();
  }

  private static Order hold(OrderToken token) {
    return hold(token, 500_000);
  }

  private static Order hold(OrderToken token, long payBeforeMs) {
    return new Order(
        Grants.of(token, "user", 2, 7, EPOCH, 1_000, payBeforeMs),
        new Order.Life(OrderStatus.PENDING, null, 1, 0, 1_500, OrderNotes.NONE),
        false);
  }
}
