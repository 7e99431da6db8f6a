package io.sluice.contract;

import static io.sluice.model.OrderStatus.CANCELED;
import static io.sluice.model.OrderStatus.CONFIRMED;
import static io.sluice.model.OrderStatus.PENDING;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Batches;
import io.sluice.ledger.DuePage.DuePlace;
import io.sluice.ledger.Fence;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.sluice.ledger.rules.OutboxPayload.Release;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens to an order of several SKUs after it was booked happens to all its lines. */
abstract class CartLifeContract extends CartLedgerScene {
  // ---- payment

  @Test
  void shouldConfirmAllLinesWhereTheInstanceDoesNotKnowTheOrder() {
    // given
    List<BucketId> buckets = carts(10, 10, 10);
    Grant first = bookedCart(1, buckets, 1, 2, 3);
    Grant second = bookedCart(2, buckets.subList(0, 2), 1, 1);

    // when
    tell(
        restarted(),
        buckets.get(0),
        new Command.Confirm(first.token(), "p"),
        new Command.Cancel(second.token(), Reason.BUYER));

    // then
    assertThat(statuses(first)).containsOnly(CONFIRMED);
    assertThat(statuses(second)).containsOnly(CANCELED);
    assertThat(sold(buckets)).containsExactly(1L, 2L, 3L);
    assertThat(held(buckets)).containsOnly(0L);
    assertThat(seen(first.token()).notes().paymentRef()).isEqualTo("p");
    assertThat(toldOf(buckets.get(0), "ORDER_CONFIRMED")).hasSize(1);
    assertThat(toldOf(buckets.get(0), "ORDER_CONFIRMED").get(0).version())
        .isEqualTo(seen(first.token()).version());
  }

  @Test
  void shouldConfirmWithTheLogsNextOffsetWhereTheInstanceDoesNotKnowTheOrder() {
    // given
    List<BucketId> buckets = carts(10, 10);
    Grant first = bookedCart(1, buckets, 1, 2);
    Grant second = cart(2, buckets, 1, 1);
    var fence = owner(buckets.get(0));
    Step step = Step.advance(fence, fence.nextOffset() + 2);
    List<Command> commands =
        List.of(
            reserve(second),
            new Command.Confirm(first.token()),
            new Command.Confirm(second.token()));

    // when
    Result.Applied applied = applied(get(Batches.apply(restarted(), step, commands)));

    // then
    assertThat(applied.booked()).containsExactlyInAnyOrderElementsOf(second.tokens());
    assertThat(sold(buckets)).containsExactly(2L, 3L);
    assertThat(get(ledger().fences()).get(fence.partition()).nextOffset())
        .isEqualTo(step.endOffset());
  }

  /** Callers wait for the order, and know it by its lead. */
  @Test
  void shouldTellTheWholeOrderWhenACommandHasChangedOneLine() {
    // given
    List<BucketId> buckets = carts(10, 10);
    Grant lead = soldCart(1, buckets, 1, 2);
    long second = buckets.get(1).skuId();
    Command part =
        new Command.RefundPart(lead.token(), "r", 1, Command.RefundPart.Step.REQUEST, second);

    // when
    Result.Applied applied = tell(restarted(), buckets.get(0), part);
    Fence fence = owner(buckets.get(0));
    Step step = Step.advance(fence, fence.nextOffset() + 1);
    List<Command> commands = List.of(new Command.Confirm(lead.token(), "p"));
    get(Batches.apply(ledger(), step, commands));
    Result.Applied again = applied(get(Batches.apply(ledger(), step, commands)));

    // then
    Order whole = seen(lead.token());
    assertThat(applied.orders())
        .filteredOn(order -> order.token().equals(lead.token()))
        .extracting(order -> order.notes().refunds())
        .containsExactly(whole.notes().refunds());
    assertThat(again.orders()).contains(whole);
  }

  @ParameterizedTest(name = "{0} lines")
  @ValueSource(ints = {1, 2})
  void shouldTellOfALatePaymentOnceAndOfEachFurtherOne(int lines) {
    // given
    List<BucketId> buckets = carts(tens(lines));
    Grant lead = ofEach(1, buckets, 2);
    log(buckets.get(0), reserve(lead));
    tell(buckets.get(0), new Command.Cancel(lead.token(), Reason.BUYER));

    // when
    tell(restarted(), buckets.get(0), new Command.Confirm(lead.token(), "p"));
    tell(
        buckets.get(0),
        new Command.Confirm(lead.token(), "p"),
        new Command.Confirm(lead.token(), "q"),
        new Command.Confirm(lead.token()));

    // then
    Order whole = seen(lead.token());
    assertThat(whole.latePaidAtMs()).isPositive();
    assertThat(whole.notes().payments()).containsExactlyInAnyOrder("p", "q");
    assertThat(statuses(lead)).containsOnly(CANCELED);
    assertThat(told(buckets.get(0)))
        .containsExactly("ORDER_BOOKED", "ORDER_CANCELED", "PAYMENT_LATE", "PAYMENT_DOUBLE");
  }

  @Test
  void shouldBeForeignToAnotherPartition() {
    // given
    List<BucketId> buckets = carts(10, 10);
    Grant lead = bookedCart(1, buckets, 1, 2);
    int partition = row(buckets.get(0)).partition();
    var other = get(ledger().takeOver((partition + 1) % partitions(), 0));

    // when
    Result result =
        get(
            Batches.apply(
                restarted(), Step.check(other), List.of(new Command.Confirm(lead.token()))));

    // then
    assertThat(result).isEqualTo(new Result.Foreign(Map.of(buckets.get(0), partition)));
    assertThat(statuses(lead)).containsOnly(PENDING);
  }

  // ---- the time to pay

  @Test
  void shouldTimeOutAsAWholeByTheTokenOfAnyLine() {
    // given
    List<BucketId> buckets = carts(10, 10);
    long nowMs = get(ledger().nowMs());
    Grant first = cart(1, nowMs - 10_000, nowMs - 1_000, buckets, 1, 2);
    Grant second = cart(2, nowMs - 10_000, nowMs - 1_000, buckets, 3, 4);
    log(buckets.get(0), reserve(first), reserve(second));
    long payBeforeMs = seen(first.token()).payBeforeMs();

    // when
    tell(restarted(), buckets.get(0), new Command.Cancel(follower(first, 1), Reason.TIMEOUT));
    tell(
        buckets.get(0),
        new Command.Cancel(second.token(), Reason.TIMEOUT),
        new Command.Cancel(follower(second, 1), Reason.TIMEOUT));

    // then
    assertThat(statuses(first)).containsOnly(CANCELED);
    assertThat(statuses(second)).containsOnly(CANCELED);
    assertThat(held(buckets)).containsOnly(0L);
    assertThat(toldOf(buckets.get(0), "ORDER_CANCELED")).hasSize(2);
    assertThat(outbox(row(buckets.get(0)).partition(), OutboxKind.RELEASE)).hasSize(2);
    assertThat(released(buckets.get(0)))
        .startsWith(
            first.lines().stream()
                .map(line -> new Release(line.token(), line.epoch(), line.seq(), 0, payBeforeMs))
                .toArray(Release[]::new))
        .hasSize(4);
  }

  @ParameterizedTest(name = "{0} lines")
  @ValueSource(ints = {1, 2})
  void shouldHoldAllLinesAndBeDueByTheLatestDeadlineWhenItHasMoreTimeToPay(int lines) {
    // given
    List<BucketId> buckets = carts(tens(lines));
    long nowMs = get(ledger().nowMs());
    Grant lead = ofEach(1, nowMs - 10_000, nowMs, buckets, 2);
    log(buckets.get(0), reserve(lead));
    int partition = row(buckets.get(0)).partition();

    // when
    Result.Applied applied =
        tell(restarted(), buckets.get(0), new Command.Extend(lead.token(), 600));
    lead.tokens()
        .forEach(
            token -> tell(restarted(), buckets.get(0), new Command.Cancel(token, Reason.TIMEOUT)));

    // then
    Order whole = seen(lead.token());
    assertThat(statuses(lead)).containsOnly(PENDING);
    assertThat(held(buckets)).containsOnly(2L);
    assertThat(whole.payBeforeMs()).isGreaterThanOrEqualTo(nowMs + 600_000);
    assertThat(applied.dueFromMs()).isEqualTo(whole.payBeforeMs());
    assertThat(told(buckets.get(0))).containsExactly("ORDER_BOOKED", "ORDER_EXTENDED");
    assertThat(due(partition, nowMs, whole.payBeforeMs() - 1))
        .doesNotContainAnyElementsOf(lead.tokens());
    assertThat(due(partition, nowMs, whole.payBeforeMs()))
        .filteredOn(lead.tokens()::contains)
        .containsExactly(lead.token());
  }

  private List<OrderToken> due(int partition, long fromMs, long untilMs) {
    return get(ledger().due(partition, DuePlace.before(fromMs), untilMs, 1_000)).tokens();
  }
}
