package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.BucketRow.LoadRow;
import io.sluice.ledger.DuePage;
import io.sluice.ledger.DuePage.DuePlace;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Command.RefundPart.Step;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderNotes.Refund;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.testkit.Placements;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What is told of an order beside its status survives, and a batch sees what batches before it
 * said.
 */
abstract class OrderNotesContract extends LedgerScene {

  private static Command ask(OrderToken token, String id, int qty) {
    return new Command.RefundPart(token, id, qty, Step.REQUEST);
  }

  private static Command complete(OrderToken token, String id) {
    return new Command.RefundPart(token, id, 0, Step.COMPLETE);
  }

  private BucketId bucket;

  @BeforeEach
  void openSku() {
    bucket = sku(10);
  }

  @Test
  void shouldKeepThePaymentsOfAnOrder() {
    // given
    Grant grant = grant(bucket, 1);
    OrderToken token = grant.token();
    read(bucket, reserve(grant), new Command.Confirm(token, "p'\\"));

    // when
    apply(bucket, new Command.Confirm(token, "q"));
    apply(bucket, new Command.Confirm(token, "q"), new Command.Confirm(token, "p'\\"));

    // then
    Order order = order(token);
    assertThat(order.status()).isEqualTo(OrderStatus.CONFIRMED);
    assertThat(order.version()).isEqualTo(3);
    assertThat(order.notes().paymentRef()).isEqualTo("p'\\");
    assertThat(order.notes().payments()).containsExactlyInAnyOrder("p'\\", "q");
    assertThat(events(bucket)).containsOnlyOnce("PAYMENT_DOUBLE");
  }

  @Test
  void shouldKeepThePaymentThatAConfirmedOrderAdopts() {
    // given
    Grant grant = grant(bucket, 1);
    read(bucket, reserve(grant), new Command.Confirm(grant.token()));

    // when
    apply(bucket, new Command.Confirm(grant.token(), "p"));

    // then
    assertThat(order(grant.token()).notes().paymentRef()).isEqualTo("p");
    assertThat(events(bucket)).contains("PAYMENT_REFERENCED").doesNotContain("PAYMENT_DOUBLE");
  }

  @Test
  void shouldKeepLatePaymentsOfOrdersThatEnded() {
    // given
    Grant canceled = grant(bucket, 1);
    Grant rejected = grant(bucket, 2);
    read(bucket, reserve(canceled), new Command.Cancel(canceled.token(), Reason.BUYER));
    apply(bucket, new Command.Reject(rejected, Reason.UNPROCESSABLE));

    for (OrderToken token : List.of(canceled.token(), rejected.token())) {
      // when
      apply(bucket, new Command.Confirm(token, "p"));
      apply(bucket, new Command.Confirm(token, "q"), new Command.Confirm(token, "p"));
      apply(bucket, new Command.Confirm(token, "q"));

      // then
      Order order = order(token);
      assertThat(order.latePaidAtMs()).isPositive();
      assertThat(order.notes().paymentRef()).isEqualTo("p");
      assertThat(order.notes().payments()).containsExactlyInAnyOrder("p", "q");
      assertThat(order.notes().count()).isEqualTo(1);
    }
  }

  /**
   * After an outage deadlines are shifted. What counts is the latest one, even where an earlier one
   * is over for long.
   */
  @Test
  void shouldNotBeDueByItsEarlierDeadlinesWhenItIsExtended() {
    // given
    long nowMs = get(ledger().nowMs());
    Grant extended = payBefore(grant(bucket, 1), nowMs);
    Grant other = payBefore(grant(bucket, 2), nowMs);
    read(bucket, reserve(extended), reserve(other));
    apply(bucket, new Command.Extend(extended.token(), 60));
    long firstMs = order(extended.token()).payBeforeMs();
    apply(bucket, new Command.Extend(extended.token(), 600));
    long latestMs = order(extended.token()).payBeforeMs();
    int partition = Placements.partitionOf(bucket, partitions());

    // when
    DuePage before = get(ledger().due(partition, DuePlace.before(nowMs), firstMs, 1_000));
    DuePage all = get(ledger().due(partition, DuePlace.before(nowMs), latestMs, 1_000));

    // then
    assertThat(before.tokens()).contains(other.token()).doesNotContain(extended.token());
    assertThat(all.tokens()).contains(other.token()).containsOnlyOnce(extended.token());
  }

  @Test
  void shouldGiveBackTheUnitsOfEachPart() {
    // given
    Grant grant = grant(bucket, 3, 3);
    OrderToken token = grant.token();
    read(bucket, reserve(grant), new Command.Confirm(token));

    // when
    apply(bucket, ask(token, "a", 1));
    apply(bucket, ask(token, "b", 2), ask(token, "c", 1), complete(token, "a"));

    // then
    Order order = order(token);
    assertThat(order.status()).isEqualTo(OrderStatus.CONFIRMED);
    assertThat(order.notes().refundedQty()).isEqualTo(1);
    assertThat(order.notes().refunds())
        .containsOnlyKeys("a", "b")
        .containsEntry("a", new Refund("a", 1, Refund.State.COMPLETED));
    assertThat(row(bucket).sold()).isEqualTo(2);
    assertThat(entries(bucket, OutboxKind.RELEASE))
        .extracting(entry -> OutboxPayload.releaseOf(entry.payload()))
        .containsExactly(new OutboxPayload.Release(token, 1, 3, 2));
    assertThat(get(ledger().loadRows(row(bucket), Optional.empty(), 10)))
        .containsExactly(new LoadRow(grant, 2, false));
  }
}
