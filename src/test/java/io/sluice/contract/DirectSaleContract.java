package io.sluice.contract;

import static io.sluice.model.OrderStatus.CONFIRMED;
import static io.sluice.model.OrderStatus.PENDING;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.DirectLedger.Outcome;
import io.sluice.ledger.DirectLedger.Wish;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.OwnerRequest;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.Placement;
import io.sluice.model.Reason;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How SKUs sell that sell in the ledger alone. */
abstract class DirectSaleContract extends DirectScene {
  @Test
  void shouldBookInNoPartitionWhenUnitsAreThere() {
    // given
    BucketId bucket = direct(10);

    // when
    List<Outcome> outcomes = place(wish(bucket, "ann", 2), wish(bucket, "bob", 1));

    // then
    assertThat(outcomes)
        .allMatch(outcome -> outcome instanceof Outcome.Booked booked && booked.fresh());
    Order first = order(wish(bucket, "ann", 2).token());
    Order second = order(wish(bucket, "bob", 1).token());
    assertThat(first.status()).isEqualTo(PENDING);
    assertThat(first.seq()).isEqualTo(2);
    assertThat(second.seq()).isEqualTo(3);
    assertThat(first.payBeforeMs() - first.createdAtMs()).isEqualTo(300_000);
    assertThat(row(bucket).partition()).isEqualTo(Placement.DIRECT);
    assertThat(row(bucket).held()).isEqualTo(3);
    assertThat(eventTypes(bucket)).containsExactly("ORDER_BOOKED", "ORDER_BOOKED");
  }

  @Test
  void shouldAskNoOwnerAndTellRedisNothingWhenASkuLivesItsWholeLife() {
    // given
    BucketId bucket = direct(10);
    Order order = booked(wish(bucket, "ann", 2));

    // when
    apply(new Command.Cancel(order.token(), Reason.BUYER));
    restock(bucket.skuId(), "more", 5);
    change(bucket.skuId(), StateChange.CLOSE);

    // then
    assertThat(get(ledger().openRequests(List.of(Placement.DIRECT), 0, 1_000)))
        .extracting(OwnerRequest::bucket)
        .doesNotContain(Optional.of(bucket));
    assertThat(outbox(Placement.DIRECT, OutboxKind.RELEASE)).isEmpty();
    assertThat(outbox(Placement.DIRECT, OutboxKind.RESTOCK)).isEmpty();
    assertThat(row(bucket).free()).isEqualTo(15);
  }

  @Test
  void shouldSellTheLastUnitsOnceAndThenBeSoldOut() {
    // given
    BucketId bucket = direct(2);

    // when
    List<Outcome> outcomes =
        place(
            wish(bucket, "ann", 1),
            wish(bucket, "bob", 2),
            wish(bucket, "cid", 1),
            wish(bucket, "dan", 1));

    // then
    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Booked.class);
    assertThat(outcomes.get(1)).isEqualTo(new Outcome.Refused(Refusal.SOLD_OUT, 1));
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Booked.class);
    assertThat(outcomes.get(3)).isEqualTo(new Outcome.Refused(Refusal.SOLD_OUT, 0));
  }

  @Test
  void shouldConfirmAtOnceWhenThereIsNothingToPay() {
    // given
    BucketId bucket = direct(2, 1, new SkuSettings(0, 0, 0, 0));

    // when
    Order order = booked(wish(bucket, "ann", 1));

    // then
    assertThat(order.status()).isEqualTo(CONFIRMED);
    assertThat(row(bucket).sold()).isEqualTo(1);
  }

  @Test
  void shouldCountWhatABuyerHasWhenThereIsALimit() {
    // given
    BucketId bucket = direct(20, 1, limited(3));
    Order first = booked(keyed(bucket, "ann", "a", 2));

    // when
    List<Outcome> second =
        place(
            keyed(bucket, "ann", "b", 2),
            keyed(bucket, "ann", "c", 1),
            keyed(bucket, "ann", "d", 1),
            keyed(bucket, "bob", "a", 3));
    apply(new Command.Cancel(first.token(), Reason.BUYER));
    List<Outcome> third = place(keyed(bucket, "ann", "e", 2), keyed(bucket, "ann", "f", 1));

    // then
    assertThat(refusal(second.get(0))).isEqualTo(Refusal.LIMIT_REACHED);
    assertThat(second.get(1)).isInstanceOf(Outcome.Booked.class);
    assertThat(refusal(second.get(2))).isEqualTo(Refusal.LIMIT_REACHED);
    assertThat(second.get(3)).isInstanceOf(Outcome.Booked.class);
    assertThat(third.get(0)).isInstanceOf(Outcome.Booked.class);
    assertThat(refusal(third.get(1))).isEqualTo(Refusal.LIMIT_REACHED);
  }

  @Test
  void shouldCountOrdersOfBeforeWhenALimitIsSetLater() {
    // given
    BucketId bucket = direct(20);
    booked(keyed(bucket, "ann", "a", 2));
    put(new NewSku(bucket.skuId(), 20, 1, Sku.Mode.DIRECT, limited(2)));

    // when
    List<Outcome> next = place(keyed(bucket, "ann", "b", 1));

    // then
    assertThat(refusal(next.get(0))).isEqualTo(Refusal.LIMIT_REACHED);
  }

  @Test
  void shouldGiveTheLimitBackWhenUnitsAreRefunded() {
    // given
    BucketId bucket = direct(20, 1, limited(3));
    Order order = booked(keyed(bucket, "ann", "a", 3));
    apply(new Command.Confirm(order.token()));
    apply(part(order.token(), 2, Command.RefundPart.Step.REQUEST));
    apply(part(order.token(), 0, Command.RefundPart.Step.COMPLETE));

    // when
    List<Outcome> next = place(keyed(bucket, "ann", "b", 3), keyed(bucket, "ann", "c", 2));

    // then
    assertThat(refusal(next.get(0))).isEqualTo(Refusal.LIMIT_REACHED);
    assertThat(next.get(1)).isInstanceOf(Outcome.Booked.class);
  }

  @Test
  void shouldRefuseWhenNotOnSale() {
    // given
    BucketId closed = direct(5);
    BucketId frozen = direct(5);
    long nowMs = get(ledger().nowMs());
    BucketId early = direct(5, 1, new SkuSettings(300, 0, nowMs + 3_600_000, 0));
    BucketId late = direct(5, 1, new SkuSettings(300, 0, 0, nowMs - 1));
    Wish held = wish(frozen, "ann", 1);
    booked(held);
    change(closed.skuId(), StateChange.CLOSE);
    change(frozen.skuId(), StateChange.FREEZE);

    // when
    List<Refusal> refusals =
        Stream.of(closed, frozen, early, late)
            .map(bucket -> refusal(place(wish(bucket, "bob", 1)).get(0)))
            .toList();

    // then
    assertThat(refusals)
        .containsExactly(Refusal.NOT_OPEN, Refusal.BUSY, Refusal.NOT_OPEN, Refusal.NOT_OPEN);
    assertThat(booked(held).status()).isEqualTo(PENDING);
  }

  @Test
  void shouldBookManyInOneCallWhenTheyArriveTogether() {
    // given
    BucketId bucket = direct(1_000, 3, limited(1));
    Wish[] wishes =
        IntStream.range(0, 500)
            .mapToObj(i -> wish(new BucketId(bucket.skuId(), i % 3), Buyers.of(i), 1))
            .toArray(Wish[]::new);

    // when
    List<Outcome> outcomes = place(wishes);

    // then
    assertThat(outcomes).hasSize(500).allMatch(Outcome.Booked.class::isInstance);
    assertThat(
            IntStream.range(0, 3).mapToLong(i -> row(new BucketId(bucket.skuId(), i)).held()).sum())
        .isEqualTo(500);
  }
}
