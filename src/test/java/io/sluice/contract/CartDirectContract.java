package io.sluice.contract;

import static io.sluice.model.OrderStatus.CONFIRMED;
import static io.sluice.model.OrderStatus.PENDING;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.Booked;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * How a ledger books orders of several SKUs that do not come from the order log, and steps that are
 * repeated.
 */
abstract class CartDirectContract extends CartLedgerScene {
  @Test
  void shouldBookWholeCartsPastTheLogOnce() {
    // given
    List<BucketId> buckets = carts(10, 10, 10);
    Grant first = cart(1, buckets, 1, 2);
    Grant second = cart(2, buckets.subList(1, 3), 3, 4);

    // when
    Booked booked = get(ledger().book(List.of(first, second)));
    Booked again = get(restarted().book(List.of(second, first, second)));
    Result.Applied logged = log(buckets.get(0), reserve(first));

    // then
    assertThat(booked.unsound()).isFalse();
    assertThat(booked.orders().get(first.token())).isEqualTo(seen(first.token()));
    assertThat(again.orders().get(second.token())).isEqualTo(seen(second.token()));
    assertThat(logged.booked()).containsExactlyInAnyOrderElementsOf(first.tokens());
    assertThat(held(buckets)).containsExactly(1L, 5L, 4L);
    assertThat(told(buckets.get(0))).containsExactly("ORDER_BOOKED", "ORDER_BOOKED");
  }

  @Test
  void shouldBookNoLinePastTheLogWhenOneHasNoRoom() {
    // given
    List<BucketId> buckets = carts(10, 1);
    Grant lead = cart(1, buckets, 1, 2);

    // when
    Booked booked = get(ledger().book(List.of(lead)));

    // then
    assertThat(booked.unsound()).isTrue();
    assertThat(booked.orders()).isEmpty();
    assertThat(held(buckets)).containsOnly(0L);
  }

  @Test
  void shouldConfirmAllLinesAtOnceWhenThereIsNothingToPay() {
    // given
    List<BucketId> buckets = carts(10, 10);
    long nowMs = get(ledger().nowMs());
    Grant free = cart(1, nowMs, nowMs, buckets, 1, 2);

    // when
    Booked booked = get(ledger().book(List.of(free)));

    // then
    assertThat(booked.orders().get(free.token()).status()).isEqualTo(CONFIRMED);
    assertThat(sold(buckets)).containsExactly(1L, 2L);
    assertThat(told(buckets.get(0))).containsExactly("ORDER_BOOKED", "ORDER_CONFIRMED");
  }

  @Test
  void shouldTellWhatAStepHasBookedWhenItIsRepeated() {
    // given
    List<BucketId> buckets = carts(10, 10);
    Grant lead = cart(1, buckets, 1, 2);
    Fence fence = owner(buckets.get(0));
    Step step = Step.advance(fence, fence.nextOffset() + 1);
    get(ledger().apply(step, List.of(reserve(lead))));

    // when
    Result.Applied again = applied(get(restarted().apply(step, List.of(reserve(lead)))));

    // then
    assertThat(again.booked()).containsExactlyInAnyOrderElementsOf(lead.tokens());
    assertThat(held(buckets)).containsExactly(1L, 2L);
  }

  @Test
  void shouldChangeNothingWhenRehearsed() {
    // given
    List<BucketId> buckets = carts(10, 10);
    Grant known = bookedCart(1, buckets, 1, 1);
    Grant lead = cart(2, buckets, 1, 2);
    Step step = Step.check(owner(buckets.get(0)));

    // when
    get(restarted().rehearse(step, List.of(reserve(lead), new Command.Confirm(known.token()))));

    // then
    assertThat(get(ledger().orders(lead.tokens()))).isEmpty();
    assertThat(statuses(known)).containsOnly(PENDING);
    assertThat(held(buckets)).containsExactly(1L, 1L);
  }
}
