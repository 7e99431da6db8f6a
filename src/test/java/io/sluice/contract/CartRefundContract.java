package io.sluice.contract;

import static io.sluice.model.OrderStatus.CONFIRMED;
import static io.sluice.model.OrderStatus.REFUNDED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.ledger.BucketRow.LoadRow;
import io.sluice.ledger.rules.OutboxPayload.Release;
import io.sluice.model.BucketId;
import io.sluice.model.Cart;
import io.sluice.model.Command;
import io.sluice.model.Command.RefundPart;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderNotes.Refund;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Refunds of lines, and how orders of several SKUs are read. */
abstract class CartRefundContract extends CartLedgerScene {
  private static Command ask(OrderToken token, String id, int qty, BucketId line) {
    return new RefundPart(token, id, qty, RefundPart.Step.REQUEST, line.skuId());
  }

  private static Command complete(OrderToken token, String id) {
    return new RefundPart(token, id, 0, RefundPart.Step.COMPLETE);
  }

  private static Command reject(OrderToken token, String id) {
    return new RefundPart(token, id, 0, RefundPart.Step.REJECT);
  }

  @Test
  void shouldRefundUnitsOfTheLineThatIsNamed() {
    // given
    List<BucketId> buckets = carts(10, 10);
    BucketId second = buckets.get(1);
    Grant lead = soldCart(1, buckets, 2, 3);
    OrderToken token = lead.token();

    // when
    tell(
        restarted(),
        buckets.get(0),
        ask(token, "a", 2, second),
        ask(token, "too many", 2, second),
        ask(token, "of none", 1, new BucketId(second.skuId() + 900_000, 0)),
        new RefundPart(token, "lead", 1, RefundPart.Step.REQUEST),
        ask(token, "a", 1, buckets.get(0)));
    tell(restarted(), buckets.get(0), complete(token, "a"), reject(token, "lead"));
    tell(buckets.get(0), complete(token, "a"), complete(token, "lead"));

    // then
    Order whole = seen(token);
    assertThat(whole.status()).isEqualTo(CONFIRMED);
    assertThat(whole.notes().refundedQty()).isEqualTo(2);
    assertThat(whole.notes().refunds().values())
        .extracting(Refund::id, Refund::qty, Refund::state, Refund::skuId)
        .containsExactlyInAnyOrder(
            tuple("a", 2, Refund.State.COMPLETED, second.skuId()),
            tuple("lead", 1, Refund.State.REJECTED, buckets.get(0).skuId()));
    assertThat(whole.cart().lines()).extracting(Cart.Line::refundedQty).containsExactly(0, 2);
    assertThat(sold(buckets)).containsExactly(2L, 1L);
    Grant line = lead.lines().get(1);
    assertThat(released(second))
        .containsExactly(new Release(line.token(), line.epoch(), line.seq(), 1));
  }

  @Test
  void shouldBeRefundedOnceTheLastLineIs() {
    // given
    List<BucketId> buckets = carts(10, 10);
    Grant lead = soldCart(1, buckets, 2, 3);
    OrderToken token = lead.token();

    // when
    tell(buckets.get(0), ask(token, "a", 2, buckets.get(0)), complete(token, "a"));
    Order between = seen(token);
    tell(restarted(), buckets.get(0), ask(token, "b", 3, buckets.get(1)), complete(token, "b"));

    // then
    assertThat(between.status()).isEqualTo(CONFIRMED);
    assertThat(seen(token).status()).isEqualTo(REFUNDED);
    assertThat(statuses(lead)).containsOnly(REFUNDED);
    assertThat(sold(buckets)).containsOnly(0L);
    assertThat(told(buckets.get(0)))
        .containsOnlyOnce("REFUND_COMPLETED", "ORDER_REFUNDED")
        .endsWith("ORDER_REFUNDED");
  }

  @ParameterizedTest(name = "{0} lines")
  @ValueSource(ints = {1, 2})
  void shouldRefundTheRestOfAllLinesAndEndRequests(int lines) {
    // given
    List<BucketId> buckets = carts(tens(lines));
    Grant lead = ofEach(1, buckets, 3);
    OrderToken token = lead.token();
    log(buckets.get(0), reserve(lead));
    tell(
        buckets.get(0),
        new Command.Confirm(token),
        ask(token, "a", 1, last(buckets)),
        complete(token, "a"),
        ask(token, "b", 1, last(buckets)));
    long before = seen(token).version();

    // when
    tell(restarted(), buckets.get(0), new Command.Refund(token), new Command.Refund(token));
    tell(buckets.get(0), complete(token, "b"));

    // then
    Order whole = seen(token);
    assertThat(whole.status()).isEqualTo(REFUNDED);
    assertThat(whole.notes().refundedQty()).isEqualTo(3 * lines);
    assertThat(whole.version()).isEqualTo(before + lines + 1);
    assertThat(whole.notes().refunds().get("b").state()).isEqualTo(Refund.State.REJECTED);
    assertThat(sold(buckets)).containsOnly(0L);
    assertThat(toldOf(buckets.get(0), "ORDER_REFUNDED")).hasSize(1);
    assertThat(toldOf(buckets.get(0), "ORDER_REFUNDED").get(0).version())
        .isEqualTo(whole.version());
  }

  // ---- reads

  @Test
  void shouldBeAWholeWhicheverLinesAreReadWithIt() {
    // given
    List<BucketId> buckets = carts(10, 10);
    Grant lead = soldCart(1, buckets, 2, 3);
    tell(buckets.get(0), ask(lead.token(), "a", 3, buckets.get(1)), complete(lead.token(), "a"));

    // when
    Order alone = seen(lead.token());
    Order together = get(ledger().orders(lead.tokens())).get(lead.token());

    // then
    assertThat(alone.notes().refundedQty()).isEqualTo(3);
    assertThat(together).isEqualTo(alone);
    assertThat(seen(follower(lead, 1)).status()).isEqualTo(REFUNDED);
  }

  @Test
  void shouldLoadEachLineWithItsCart() {
    // given
    List<BucketId> buckets = carts(10, 3);
    Grant live = soldCart(1, buckets, 2, 3);
    tell(buckets.get(0), ask(live.token(), "a", 1, buckets.get(1)), complete(live.token(), "a"));
    Grant rejected = bookedCart(2, buckets, 1, 2);
    Grant ended = bookedCart(3, buckets, 1, 1);
    tell(buckets.get(0), new Command.Cancel(ended.token(), Reason.BUYER));

    // when
    List<LoadRow> first = get(ledger().loadRows(row(buckets.get(0)), Optional.empty(), 10));
    List<LoadRow> second = get(ledger().loadRows(row(buckets.get(1)), Optional.empty(), 10));

    // then
    assertThat(first).extracting(LoadRow::left).containsExactly(2, 0, 0);
    assertThat(second).extracting(LoadRow::left).containsExactly(2, 0, 0);
    for (int line = 0; line < 2; line++) {
      assertThat(List.of(first, second).get(line))
          .extracting(row -> row.grant().token(), row -> row.grant().cart(), LoadRow::rejected)
          .containsExactly(
              tuple(live.lines().get(line).token(), live.cart(), false),
              tuple(ended.lines().get(line).token(), ended.cart(), false),
              tuple(rejected.lines().get(line).token(), rejected.cart(), true));
    }
    assertThat(second.get(0).grant()).isEqualTo(live.lines().get(1));
  }
}
