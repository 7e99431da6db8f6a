package io.sluice.contract;

import static io.sluice.model.OrderStatus.CANCELED;
import static io.sluice.model.OrderStatus.PENDING;
import static io.sluice.model.OrderStatus.REJECTED;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.Step.Result;
import io.sluice.ledger.rules.OutboxPayload.Release;
import io.sluice.model.BucketId;
import io.sluice.model.Cart;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.Order;
import io.sluice.model.Reason;
import io.sluice.model.Sku;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a ledger books orders of one SKU and of several: all lines or none. */
abstract class CartLedgerContract extends CartLedgerScene {
  @Test
  void shouldBookAllLinesAsOneOrder() {
    // given
    List<BucketId> buckets = carts(10, 10, 10);
    Grant lead = cart(1, buckets, 1, 2, 3);

    // when
    Result.Applied applied = log(buckets.get(0), reserve(lead));

    // then
    assertThat(applied.booked()).containsExactlyInAnyOrderElementsOf(lead.tokens());
    assertThat(held(buckets)).containsExactly(1L, 2L, 3L);
    Order whole = seen(lead.token());
    assertThat(whole.status()).isEqualTo(PENDING);
    assertThat(whole.cart()).isEqualTo(lead.cart());
    assertThat(whole.reference()).isEqualTo("ref-1");
    assertThat(whole.version()).isEqualTo(3);
    assertThat(seen(follower(lead, 2)).isFollower()).isTrue();
    assertThat(toldOf(buckets.get(0), "ORDER_BOOKED")).hasSize(1);
    assertThat(toldOf(buckets.get(0), "ORDER_BOOKED").get(0).cart()).isEqualTo(lead.cart());
  }

  /** As in a ledger that has lost moves of units of both SKUs, since it was restored. */
  @Test
  void shouldGatherTheUnitsOfAllLinesWhenTheLedgerHasThemInOtherBuckets() {
    // given
    List<BucketId> buckets = carts(Sku.Mode.FAST, 3, 9, 6, 3);
    Grant first = cart(1, buckets, 5, 1, 1);
    Grant second = cart(2, buckets, 4, 5, 1);
    Grant third = cart(3, List.of(buckets.get(0), buckets.get(2)), 1, 1);

    // when
    Result.Applied applied = log(buckets.get(0), reserve(first), reserve(first), reserve(second));
    Result.Applied last = log(buckets.get(0), reserve(second), reserve(third));

    // then
    assertThat(applied.full()).isEmpty();
    assertThat(statuses(first)).containsOnly(PENDING);
    assertThat(statuses(second)).containsOnly(PENDING);
    assertThat(held(buckets)).containsExactly(9L, 6L, 2L);
    assertThat(row(buckets.get(0)).allotted()).isEqualTo(9);
    assertThat(last.full()).containsExactly(buckets.get(0));
  }

  @ParameterizedTest(name = "{0} lines")
  @ValueSource(ints = {1, 2, 3})
  void shouldHoldNothingWhenTheGateOfTheLastLineHasNoRoom(int lines) {
    // given
    List<BucketId> buckets = carts(tensAnd(lines, 1));
    Grant lead = ofEach(1, buckets, 2);

    // when
    Result.Applied applied = log(buckets.get(0), reserve(lead));
    log(buckets.get(0), reserve(lead), new Command.Confirm(lead.token()));

    // then
    assertThat(applied.full()).containsExactly(last(buckets));
    assertThat(applied.booked()).containsExactlyInAnyOrderElementsOf(lead.tokens());
    assertThat(applied.outbox()).doesNotContain(OutboxKind.RELEASE);
    assertThat(statuses(lead)).containsOnly(REJECTED);
    assertThat(seen(lead.token()).reason()).isEqualTo(Reason.LEDGER_FULL);
    assertThat(seen(lead.token()).cart()).isEqualTo(lead.cart());
    assertThat(held(buckets)).containsOnly(0L);
    assertThat(sold(buckets)).containsOnly(0L);
    assertThat(told(buckets.get(0))).containsExactly("ORDER_REJECTED", "PAYMENT_LATE");
    assertThat(released(buckets.get(0))).isEmpty();
  }

  @ParameterizedTest(name = "{0} lines")
  @ValueSource(ints = {1, 2})
  void shouldDropAllWhenTheEpochOfTheLastLineIsOver(int lines) {
    // given
    List<BucketId> buckets = carts(tens(lines));
    BucketId last = last(buckets);
    Grant lead = ofEach(1, buckets, 1);
    get(ledger().raiseEpoch(owner(last), last, 0));

    // when
    Result.Applied applied =
        log(buckets.get(0), reserve(lead), new Command.Confirm(lead.token(), "p"));

    // then
    assertThat(applied.stale()).containsExactly(lead);
    assertThat(applied.booked()).isEmpty();
    expectNothingOf(lead);
    assertThat(told(buckets.get(0))).containsExactly("STALE_GRANT_DROPPED");
    assertThat(log(buckets.get(0), reserve(ofEach(1, buckets, 1))).booked())
        .as("granted again in the present epochs")
        .containsExactlyInAnyOrderElementsOf(lead.tokens());
  }

  @Test
  void shouldBookACartOfAHigherEpochAfterTheLedgerWasPutBack() {
    // given
    List<BucketId> buckets = carts(10, 10);
    BucketId second = buckets.get(1);
    Grant now = cart(1, buckets, 1, 1);
    List<Cart.Line> lines = now.cart().lines();
    var ahead = new Cart.Line(second, 1, lines.get(1).epoch() + 2, 9, lines.get(1).saleNo());
    Grant lead =
        Grants.ofLead(
            new Cart(List.of(lines.get(0), ahead)),
            now.token(),
            now.userId(),
            now.grantedAtMs(),
            now.payBeforeMs(),
            null);

    // when
    Result.Applied applied = log(buckets.get(0), reserve(lead));

    // then
    assertThat(applied.ahead()).containsExactly(second);
    assertThat(row(second).epoch()).isEqualTo(ahead.epoch());
    assertThat(held(buckets)).containsExactly(1L, 1L);
  }

  @ParameterizedTest(name = "{0} lines")
  @ValueSource(ints = {1, 2})
  void shouldChangeNothingWhenEachCommandComesTwice(int lines) {
    // given
    List<BucketId> buckets = carts(tens(lines));
    Grant lead = ofEach(1, buckets, 2);
    Command reserve = reserve(lead);
    Command confirm = new Command.Confirm(lead.token(), "p");
    Command refund = new Command.Refund(lead.token());

    // when
    log(buckets.get(0), reserve, reserve, confirm, confirm);
    List<Long> sold = sold(buckets);
    log(buckets.get(0), reserve, confirm, refund, refund);
    log(buckets.get(0), refund, confirm, reserve(last(lead.lines())));

    // then
    assertThat(sold).containsOnly(2L);
    assertThat(sold(buckets)).containsOnly(0L);
    assertThat(held(buckets)).containsOnly(0L);
    assertThat(told(buckets.get(0)))
        .containsExactly("ORDER_BOOKED", "ORDER_CONFIRMED", "ORDER_REFUNDED");
    assertThat(released(buckets.get(0))).hasSize(lines);
  }

  @Test
  void shouldBookAGrantWhoseCancelCameBefore() {
    // given
    List<BucketId> buckets = carts(10, 10);
    Grant lead = cart(1, buckets, 1, 2);

    // when
    log(buckets.get(0), new Command.Cancel(lead.token(), Reason.BUYER));
    log(buckets.get(0), reserve(lead));

    // then
    assertThat(statuses(lead)).containsOnly(PENDING);
    assertThat(held(buckets)).containsExactly(1L, 2L);
  }

  @Test
  void shouldSetAsideACartOneOfWhoseUnitsAnotherOrderHas() {
    // given
    List<BucketId> buckets = carts(10, 10);
    BucketId second = buckets.get(1);
    Grant lead = cart(1, buckets, 1, 1);
    Grant twin = grantOfSale(second, 101, row(second).saleNo(), row(second).epoch());
    Grant other = cart(2, buckets, 1, 1);
    log(second, reserve(twin));

    // when
    Result.Applied applied = log(buckets.get(0), reserve(lead), reserve(other));

    // then
    assertThat(applied.clashing()).containsExactly(second);
    assertThat(applied.booked()).containsExactlyInAnyOrderElementsOf(other.tokens());
    assertThat(get(ledger().orders(lead.tokens()))).isEmpty();
    assertThat(held(buckets)).containsExactly(1L, 2L);
    assertThat(left(second, OutboxKind.DEAD)).hasSize(1);
    assertThat(left(second, OutboxKind.DEAD).get(0).payload()).contains(lead.cart().text());
  }

  @Test
  void shouldSetAsideACartOneOfWhoseBucketsIsUnknown() {
    // given
    List<BucketId> buckets = carts(10, 10);
    BucketId nowhere = new BucketId(newSkuId(), 0);
    Grant known = cart(1, buckets, 1, 1);
    var strange = new Cart.Line(nowhere, 1, 1, 1, 1);
    Grant lead =
        Grants.ofLead(
            new Cart(List.of(known.cart().lead(), strange)),
            known.token(),
            known.userId(),
            known.grantedAtMs(),
            known.payBeforeMs(),
            null);

    // when
    log(buckets.get(0), reserve(lead));

    // then
    assertThat(get(ledger().orders(lead.tokens()))).isEmpty();
    assertThat(held(buckets)).containsOnly(0L);
    assertThat(left(buckets.get(0), OutboxKind.DEAD)).hasSize(1);
  }

  /** After the ledger was put back, time-outs are missing in it. */
  @Test
  void shouldEndOverdueHoldsWhereALineThatIsNotTheLeadNeedsRoom() {
    // given
    List<BucketId> buckets = carts(10, 2);
    long nowMs = get(ledger().nowMs());
    Grant overdue = cart(1, nowMs - 900_000, nowMs - 600_000, buckets, 1, 2);
    Grant lead = cart(2, buckets, 1, 2);
    get(ledger().book(() -> List.of(overdue)));

    // when
    Result.Applied applied = log(buckets.get(0), reserve(lead));

    // then
    assertThat(applied.full()).isEmpty();
    assertThat(statuses(lead)).containsOnly(PENDING);
    assertThat(statuses(overdue)).containsOnly(CANCELED);
    assertThat(held(buckets)).containsExactly(1L, 2L);
    assertThat(released(buckets.get(0))).hasSize(2);
  }

  @Test
  void shouldEndAllLinesOfAnOverdueCartThatAnInstanceDoesNotKnow() {
    // given
    List<BucketId> buckets = carts(10, 2);
    BucketId second = buckets.get(1);
    long nowMs = get(ledger().nowMs());
    Grant overdue = cart(1, nowMs - 900_000, nowMs - 600_000, buckets, 1, 2);
    get(ledger().book(() -> List.of(overdue)));
    Grant single = grantOfSale(second, 7, row(second).saleNo(), row(second).epoch());

    // when
    tell(restarted(), second, reserve(single));

    // then
    assertThat(seen(single.token()).status()).isEqualTo(PENDING);
    assertThat(statuses(overdue)).containsOnly(CANCELED);
    assertThat(held(buckets)).containsExactly(0L, 1L);
  }

  @ParameterizedTest(name = "{0} lines")
  @ValueSource(ints = {1, 2})
  void shouldRejectAndReleaseAllLinesOfAnOrderThatCannotBeBooked(int lines) {
    // given
    List<BucketId> buckets = carts(tens(lines));
    Grant lead = ofEach(1, buckets, 2);

    // when
    tell(last(buckets), new Command.Reject(lead, Reason.UNPROCESSABLE));
    tell(last(buckets), new Command.Reject(lead, Reason.UNPROCESSABLE));

    // then
    assertThat(statuses(lead)).containsOnly(REJECTED);
    assertThat(seen(lead.token()).reason()).isEqualTo(Reason.UNPROCESSABLE);
    assertThat(held(buckets)).containsOnly(0L);
    assertThat(released(buckets.get(0)))
        .containsExactlyElementsOf(
            lead.lines().stream()
                .map(line -> new Release(line.token(), line.epoch(), line.seq()))
                .toList());
  }
}
