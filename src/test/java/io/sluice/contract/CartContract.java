package io.sluice.contract;

import static io.sluice.contract.StockUnderTest.FREE_FOR_ALL;
import static io.sluice.contract.StockUnderTest.TERM;
import static io.sluice.contract.StockUnderTest.expectOk;
import static io.sluice.contract.StockUnderTest.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.Cart;
import io.sluice.model.Grant;
import io.sluice.model.Refusal;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.GrantOutcome.Already;
import io.sluice.stock.GrantOutcome.Granted;
import io.sluice.stock.GrantOutcome.Refused;
import io.sluice.stock.Recorded;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Carts: all lines or none. */
interface CartContract extends CartScene {

  @Test
  default void shouldRecordEachLineInItsBucketWithAllLines() {
    // given
    BucketId first = unit().openBucket(10);
    BucketId second = unit().openBucket(10);
    unit().grant(second, request(second, 99, 4));
    StockStore.Request wanted = cart(1, BUYER, first, 2, second, 3);

    // when
    Grant lead = grant(wanted);

    // then
    Cart expected =
        new Cart(
            List.of(
                new Cart.Line(first, 2, StockUnderTest.EPOCH, 2, 0),
                new Cart.Line(second, 3, StockUnderTest.EPOCH, 7, 0)));
    assertThat(lead.cart()).isEqualTo(expected);
    assertThat(lead.qty()).isEqualTo(2);
    assertThat(lead.reference()).isEqualTo("ref-1");
    assertThat(lead.payBeforeMs()).isEqualTo(lead.grantedAtMs() + 300_000);
    assertThat(lead.lines())
        .allSatisfy(
            line ->
                assertThat(unit().recorded(line.token()))
                    .isEqualTo(new Recorded(line, true, true)));
    assertThat(unit().snapshot(second).unbooked()).contains(lead.lines().get(1));
  }

  @Test
  default void shouldTellHowLongADryBucketGrantsNothing() {
    // given
    BucketId first = unit().openBucket(10);
    BucketId second = unit().openBucket(0);

    // when
    ReserveReply reply = reserve(cart(1, BUYER, first, 1, second, 1));

    // then
    assertThat(reply.buckets().get(second).soldOutMs()).isEqualTo(StockStore.SOLD_OUT_MAX_MS);
    assertThat(reply.buckets().get(first).soldOutMs()).isZero();
    assertThat(unit().reserveReply(second, request(second, 5, 1)).soldOutMs()).isPositive();
  }

  @Test
  default void shouldGrantNothingInABucketThatIsSoldOutForAWhile() {
    // given
    BucketId first = unit().openBucket(10);
    BucketId second = unit().openBucket(1);
    Grant only = unit().grant(second, request(second, 1, 1));
    unit().reserve(second, request(second, 2, 1));

    // when
    unit().release(only);
    ReserveReply reply = reserve(cart(3, BUYER, first, 1, second, 1));

    // then
    assertThat(reply.outcomes()).containsExactly(new Refused(Refusal.SOLD_OUT, 1));
    assertThat(reply.buckets().get(second).soldOutMs()).isPositive();
    expectUntouched(first);
  }

  @Test
  default void shouldSeeWhatTheCartBeforeHasTaken() {
    // given
    BucketId first = unit().openBucket(10);
    BucketId second = unit().openBucket(1);

    // when
    ReserveReply reply =
        reserve(cart(1, "alice", first, 1, second, 1), cart(2, "bob", first, 1, second, 1));

    // then
    assertThat(reply.outcomes().get(0)).isInstanceOf(Granted.class);
    assertThat(reply.outcomes().get(1)).isEqualTo(new Refused(Refusal.SOLD_OUT, 1));
    assertThat(reply.buckets().get(first).available()).isEqualTo(9);
    assertThat(reply.buckets().get(first).outcomes())
        .containsExactly(new GrantOutcome.Granted(((Granted) reply.outcomes().get(0)).grant()));
  }

  @Test
  default void shouldGrantCartsThatCrossEachOther() {
    // given
    BucketId first = unit().openBucket(1);
    BucketId second = unit().openBucket(2);
    BucketId third = unit().openBucket(1);

    // when
    ReserveReply reply =
        reserve(
            cart(1, "alice", first, 1, second, 1),
            cart(2, "bob", second, 1, third, 1),
            cart(3, "dave", first, 1, third, 1));

    // then
    assertThat(reply.outcomes().subList(0, 2)).allMatch(Granted.class::isInstance);
    assertThat(reply.outcomes().get(2)).isEqualTo(new Refused(Refusal.SOLD_OUT, 0));
  }

  @Test
  default void shouldStayTheSameWhenPartOfALineIsRefunded() {
    // given
    BucketId first = unit().openBucket(10);
    BucketId second = unit().openBucket(10);
    StockStore.Request wanted = cart(1, BUYER, first, 1, second, 3);
    Grant lead = grant(wanted);
    lead.lines().forEach(line -> unit().book(line));
    Grant line = lead.lines().get(1);

    // when
    expectOk(
        unit()
            .store()
            .release(
                second,
                TERM,
                List.of(new StockStore.Release(line.token(), line.epoch(), line.seq(), 1))));
    GrantOutcome outcome = outcome(wanted);

    // then
    assertThat(outcome).isEqualTo(new Already(lead, false));
    assertThat(unit().recorded(line.token())).isEqualTo(new Recorded(line, 1, false));
  }

  @Test
  default void shouldKeepACartOverARebuildFromTheLedger() {
    // given
    BucketId first = unit().openBucket(10);
    BucketId second = unit().openBucket(10);
    StockStore.Request wanted = cart(1, BUYER, first, 1, second, 2);
    Grant lead = grant(wanted);

    // when
    for (Grant line : lead.lines()) {
      unit().rebuild(10, FREE_FOR_ALL, line.token().bucketId(), new Recorded(line, true, false));
    }
    GrantOutcome outcome = outcome(wanted);

    // then
    assertThat(outcome).isEqualTo(new Already(lead, false));
  }
}
