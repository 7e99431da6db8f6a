package io.sluice.contract;

import static io.sluice.model.OrderStatus.CONFIRMED;
import static io.sluice.model.OrderStatus.PENDING;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Batches;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.Booked;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How a ledger books orders of one SKU and of several that do not come from the order log, and
 * steps that are repeated.
 */
abstract class CartPastLogContract extends CartLedgerScene {
  @ParameterizedTest(name = "{0} lines")
  @ValueSource(ints = {1, 2})
  void shouldBookWholeOrdersPastTheLogOnce(int lines) {
    // given
    List<BucketId> buckets = carts(tens(lines));
    Grant first = ofEach(1, buckets, 1);
    Grant second = ofEach(2, buckets, 3);

    // when
    Booked booked = get(ledger().book(() -> List.of(first, second)));
    Booked again = get(restarted().book(() -> List.of(second, first, second)));
    Result.Applied logged = log(buckets.get(0), reserve(first));

    // then
    assertThat(booked.unsound()).isFalse();
    assertThat(booked.orders().get(first.token())).isEqualTo(seen(first.token()));
    assertThat(again.orders().get(second.token())).isEqualTo(seen(second.token()));
    assertThat(logged.booked()).containsExactlyInAnyOrderElementsOf(first.tokens());
    assertThat(statuses(first)).containsOnly(PENDING);
    assertThat(held(buckets)).containsOnly(4L);
    assertThat(told(buckets.get(0))).containsExactly("ORDER_BOOKED", "ORDER_BOOKED");
  }

  @ParameterizedTest(name = "{0} lines")
  @ValueSource(ints = {1, 2})
  void shouldBookNoLinePastTheLogWhenTheLastHasNoRoom(int lines) {
    // given
    List<BucketId> buckets = carts(tensAnd(lines, 1));
    Grant tooMuch = ofEach(1, buckets, 2);
    Grant fits = ofEach(2, buckets, 1);

    // when
    Booked booked = get(ledger().book(() -> List.of(tooMuch, fits)));

    // then
    assertThat(booked.unsound()).isTrue();
    assertThat(booked.orders()).containsKey(fits.token()).doesNotContainKey(tooMuch.token());
    assertThat(get(ledger().orders(tooMuch.tokens()))).isEmpty();
    assertThat(held(buckets)).containsOnly(1L);
  }

  @ParameterizedTest(name = "{0} lines, from the log: {1}")
  @CsvSource({"1, true", "1, false", "2, true", "2, false"})
  void shouldConfirmAllLinesAtOnceWhenThereIsNothingToPay(int lines, boolean logged) {
    // given
    List<BucketId> buckets = carts(tens(lines));
    long nowMs = get(ledger().nowMs());
    Grant free = ofEach(1, nowMs, nowMs, buckets, 2);

    // when
    if (logged) {
      log(buckets.get(0), reserve(free));
    } else {
      get(ledger().book(() -> List.of(free)));
    }

    // then
    assertThat(statuses(free)).containsOnly(CONFIRMED);
    assertThat(sold(buckets)).containsOnly(2L);
    assertThat(told(buckets.get(0))).containsExactly("ORDER_BOOKED", "ORDER_CONFIRMED");
  }

  @ParameterizedTest(name = "{0} lines")
  @ValueSource(ints = {1, 2})
  void shouldTellWhatAStepHasDoneWhenItIsRepeated(int lines) {
    // given
    List<BucketId> buckets = carts(tens(lines));
    Grant paid = ofEach(1, buckets, 1);
    Grant lead = ofEach(2, buckets, 2);
    log(buckets.get(0), reserve(paid));
    Fence fence = owner(buckets.get(0));
    Step step = Step.advance(fence, fence.nextOffset() + 2);
    List<Command> commands = List.of(new Command.Confirm(paid.token(), "p"), reserve(lead));
    get(Batches.apply(ledger(), step, commands));

    // when
    Result.Applied again = applied(get(Batches.apply(restarted(), step, commands)));

    // then
    assertThat(again.booked()).containsExactlyInAnyOrderElementsOf(lead.tokens());
    assertThat(again.orders()).contains(seen(paid.token()), seen(lead.token()));
    assertThat(held(buckets)).containsOnly(2L);
    assertThat(sold(buckets)).containsOnly(1L);
  }

  @ParameterizedTest(name = "{0} lines")
  @ValueSource(ints = {1, 2})
  void shouldChangeNothingWhenRehearsed(int lines) {
    // given
    List<BucketId> buckets = carts(tens(lines));
    Grant known = ofEach(1, buckets, 1);
    log(buckets.get(0), reserve(known));
    Grant lead = ofEach(2, buckets, 2);
    Fence fence = owner(buckets.get(0));
    Step step = Step.advance(fence, fence.nextOffset() + 1);
    List<Command> commands = List.of(reserve(lead), new Command.Confirm(known.token()));

    // when
    get(restarted().rehearse(step, commands));

    // then
    assertThat(get(ledger().orders(lead.tokens()))).isEmpty();
    assertThat(statuses(known)).containsOnly(PENDING);
    assertThat(held(buckets)).containsOnly(1L);
    assertThat(told(buckets.get(0))).containsExactly("ORDER_BOOKED");
    assertThat(applied(get(Batches.apply(ledger(), step, commands))).booked())
        .containsExactlyInAnyOrderElementsOf(lead.tokens());
  }
}
