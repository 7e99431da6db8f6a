package io.sluice.ledger.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.rules.OrderEvent.OrderNotice;
import io.sluice.ledger.rules.OutboxPayload.OutboxDraft;
import io.sluice.ledger.rules.OutboxPayload.Release;
import io.sluice.model.BucketId;
import io.sluice.model.Grants;
import io.sluice.model.Order;
import io.sluice.model.OrderNotes;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.model.Reason;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

class OutboxPayloadTest {
  private static final BucketId BUCKET = new BucketId(Long.MAX_VALUE, 255);
  private static final Order ORDER =
      new Order(
          Grants.of(
              new OrderTokens(new byte[16]).tokenFor("user", BUCKET, "key"),
              "user",
              3,
              77,
              2,
              1_700_000_000_000L,
              1_700_000_300_000L),
          new Order.Life(
              OrderStatus.CANCELED,
              Reason.TIMEOUT,
              3,
              1_700_000_400_000L,
              1_700_000_500_000L,
              OrderNotes.NONE),
          false);

  @Test
  void shouldCarryAllOfTheOrderWhenAnEventIsWritten() {
    // when
    OutboxDraft draft =
        OutboxPayload.event(5, new OrderNotice(EventType.PAYMENT_LATE, ORDER, null), 99);

    // then
    assertThat(draft.partition()).isEqualTo(5);
    assertThat(draft.kind()).isEqualTo(OutboxKind.EVENT);
    assertThat(draft.eventType()).isEqualTo("PAYMENT_LATE");
    assertThat(OutboxPayload.order(draft.payload())).contains(ORDER);
    assertThat(OutboxPayload.key(draft.payload())).isEqualTo(ORDER.token().value());
    assertThat(new JsonObject(draft.payload()).fieldNames())
        .containsExactly(
            "type",
            "order_token",
            "sku_id",
            "bucket",
            "user_id",
            "qty",
            "seq",
            "epoch",
            "status",
            "reason",
            "version",
            "pay_before",
            "late_paid_at",
            "created_at",
            "updated_at",
            "at");
  }

  @Test
  void shouldNameBucketAndPartWhenATakeIsIntended() {
    // given
    var take = new OutboxPayload.Take(BUCKET, "r-1", 2, 1_000_000_000L);

    // when
    OutboxDraft draft = OutboxPayload.take(5, take);

    // then
    assertThat(draft.kind()).isEqualTo(OutboxKind.RESTOCK);
    assertThat(OutboxPayload.takeOf(draft.payload())).isEqualTo(take);
    assertThat(OutboxPayload.bucketOf(draft.payload())).isEqualTo(BUCKET);
    assertThat(take.id()).isEqualTo("r-1#255#2");
  }

  @Test
  void shouldFitTheColumnWhenTheRawCommandIsLong() {
    // given
    String raw = "\u0001".repeat(100_000);

    // when
    OutboxDraft draft = OutboxPayload.dead(5, raw, raw, 99);

    // then
    assertThat(draft.payload().length()).isLessThan(65_536);
    assertThat(new JsonObject(draft.payload()).getString("raw")).hasSize(4_096);
  }

  @Test
  void shouldNameTheBucketOrTheWholePartitionWhenAnOwnerIsAsked() {
    // when
    String ofBucket = OutboxPayload.bucketJson(BUCKET).encode();
    String ofPartition = OutboxPayload.partitionJson(5).encode();

    // then
    assertThat(OutboxPayload.requestedBucket(ofBucket)).contains(BUCKET);
    assertThat(OutboxPayload.requestedBucket(ofPartition)).isEmpty();
    assertThat(new JsonObject(ofPartition).getInteger("partition")).isEqualTo(5);
  }

  @Test
  void shouldSayWhenAnOrderWasDueThatTimedOut() {
    // given
    OrderToken token = ORDER.token();
    Release late = new Release(token, 2, 7, 0, 1_234);
    Release canceled = new Release(token, 2, 7, 3);

    // when
    String payload = OutboxPayload.release(5, late).payload();

    // then
    assertThat(OutboxPayload.releaseOf(payload)).isEqualTo(late);
    assertThat(new JsonObject(payload).getLong("due")).isEqualTo(1_234);
    assertThat(OutboxPayload.releaseOf(OutboxPayload.release(5, canceled).payload()))
        .isEqualTo(canceled);
    assertThat(OutboxPayload.release(5, canceled).payload()).doesNotContain("due");
  }

  @Test
  void shouldRefuseARowWhoseTokenIsNone() {
    // given
    String release = "{\"order_token\":\"none\",\"epoch\":1,\"seq\":1}";
    String event =
        OutboxPayload.event(5, new OrderNotice(EventType.ORDER_BOOKED, ORDER, null), 99).payload();
    String spoilt = event.replace(ORDER.token().value(), "none");

    // when, then
    assertThatThrownBy(() -> OutboxPayload.releaseOf(release))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Expected an order token, but got none");
    assertThatThrownBy(() -> OutboxPayload.order(spoilt))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Expected an order token, but got none");
  }

  @Test
  void shouldTellOfAnyBuyerWhenALedgerRefusesTheGrant() {
    // given
    String odd = "\"},{\\ and more";
    Order rejected =
        new Order(
            Grants.of(ORDER.token(), odd, 1, 1, 1, 1, 2),
            new Order.Life(OrderStatus.REJECTED, null, 1, 0, 1, OrderNotes.NONE),
            false);

    // when
    OutboxDraft draft =
        OutboxPayload.event(5, new OrderNotice(EventType.ORDER_REJECTED, rejected, null), 99);

    // then
    assertThat(OutboxPayload.order(draft.payload())).contains(rejected);
    assertThat(new JsonObject(draft.payload()).getString("user_id")).isEqualTo(odd);
  }
}
