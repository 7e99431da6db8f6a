package io.sluice.ledger.rules;

import static io.sluice.ledger.rules.BatchScene.BUCKET;
import static io.sluice.ledger.rules.BatchScene.EPOCH;
import static io.sluice.ledger.rules.BatchScene.NOW_MS;
import static io.sluice.ledger.rules.BatchScene.command;
import static io.sluice.ledger.rules.BatchScene.delta;
import static io.sluice.ledger.rules.BatchScene.grant;
import static io.sluice.ledger.rules.BatchScene.names;
import static io.sluice.ledger.rules.BatchScene.order;
import static io.sluice.ledger.rules.BatchScene.replay;
import static io.sluice.ledger.rules.BatchScene.reserve;
import static io.sluice.ledger.rules.BatchScene.snapshot;
import static io.sluice.ledger.rules.BatchScene.token;
import static io.sluice.ledger.rules.BatchScene.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.rules.BatchChanges.Change;
import io.sluice.ledger.rules.BatchChanges.DeadCause;
import io.sluice.ledger.rules.BatchSnapshot.Bucket;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.Limits;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every rule of an order's status changes, as a table. */
class LedgerBatchTest {

  // The outcome of one command for an order of 2 units, in a bucket that holds 6 and has sold 4.
  // late: a late payment of the order was recorded before.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          # status   | late  | command | status    | reason  | rows    | outbox                   | held | sold
          PENDING    | false | CONFIRM | CONFIRMED | -       | CONFIRM | ORDER_CONFIRMED          | -2   | 2
          PENDING    | false | CANCEL  | CANCELED  | TIMEOUT | CANCEL  | ORDER_CANCELED RELEASE   | -2   | 0
          PENDING    | false | REFUND  | PENDING   | -       | -       | -                        | 0    | 0
          PENDING    | false | RESERVE | PENDING   | -       | -       | -                        | 0    | 0
          PENDING    | false | REJECT  | PENDING   | -       | -       | -                        | 0    | 0
          CONFIRMED  | false | CONFIRM | CONFIRMED | -       | -       | -                        | 0    | 0
          CONFIRMED  | false | CANCEL  | CONFIRMED | -       | -       | -                        | 0    | 0
          CONFIRMED  | false | REFUND  | REFUNDED  | -       | REFUND  | ORDER_REFUNDED RELEASE   | 0    | -2
          CONFIRMED  | false | RESERVE | CONFIRMED | -       | -       | -                        | 0    | 0
          CANCELED   | false | CONFIRM | CANCELED  | BUYER   | -       | PAYMENT_LATE             | 0    | 0
          CANCELED   | true  | CONFIRM | CANCELED  | BUYER   | -       | -                        | 0    | 0
          CANCELED   | false | CANCEL  | CANCELED  | BUYER   | -       | -                        | 0    | 0
          CANCELED   | false | REFUND  | CANCELED  | BUYER   | -       | -                        | 0    | 0
          CANCELED   | false | RESERVE | CANCELED  | BUYER   | -       | -                        | 0    | 0
          REJECTED   | false | CONFIRM | REJECTED  | BUYER   | -       | PAYMENT_LATE             | 0    | 0
          REJECTED   | true  | CONFIRM | REJECTED  | BUYER   | -       | -                        | 0    | 0
          REJECTED   | false | CANCEL  | REJECTED  | BUYER   | -       | -                        | 0    | 0
          REJECTED   | false | REFUND  | REJECTED  | BUYER   | -       | -                        | 0    | 0
          REJECTED   | false | RESERVE | REJECTED  | BUYER   | -       | -                        | 0    | 0
          REFUNDED   | false | CONFIRM | REFUNDED  | -       | -       | -                        | 0    | 0
          REFUNDED   | false | CANCEL  | REFUNDED  | -       | -       | -                        | 0    | 0
          REFUNDED   | false | REFUND  | REFUNDED  | -       | -       | -                        | 0    | 0
          REFUNDED   | false | RESERVE | REFUNDED  | -       | -       | -                        | 0    | 0
          """)
  void shouldFollowTheLifeOfAnOrderWhenItIsBooked(
      OrderStatus before,
      boolean late,
      String command,
      OrderStatus after,
      Reason reason,
      String rows,
      String outbox,
      long held,
      long sold) {
    // given
    Order order = order(before, late);
    BatchSnapshot snapshot = snapshot(new Bucket(BUCKET, 100, 6, 4, EPOCH), order);

    // when
    BatchChanges changes = replay(snapshot, List.of(command(command)));

    // then
    assertThat(names(changes)).isEqualTo(words(outbox));
    assertThat(StockRows.of(changes))
        .extracting(row -> row.action() + "/" + row.qty())
        .isEqualTo(words(rows).stream().map(row -> row + "/2").toList());
    assertThat(delta(changes)).containsExactly(held, sold);
    assertThat(changes.inserted()).isEmpty();
    if (outbox == null) {
      assertThat(changes.updated()).isEmpty();
    } else {
      Order expected =
          switch (after) {
            case REFUNDED -> order.refunded(2, order.notes(), NOW_MS);
            case CONFIRMED -> order.paid(null, NOW_MS);
            default ->
                outbox.equals("PAYMENT_LATE")
                    ? order.paidLate(null, NOW_MS)
                    : order.changed(after, reason, NOW_MS);
          };
      assertThat(changes.updated()).containsExactly(new Change<>(order, expected));
    }
    assertThat(changes.booked())
        .isEqualTo(command.equals("RESERVE") ? List.of(order.token()) : List.of());
  }

  @Test
  void shouldTellTheOrderAsItWasWhenItChangesTwice() {
    // given
    BatchSnapshot snapshot = snapshot(new Bucket(BUCKET, 5, 0, 0, EPOCH));

    // when
    BatchChanges changes =
        replay(
            snapshot,
            List.of(
                reserve(grant(1)), new Command.Confirm(token(1)), new Command.Refund(token(1))));

    // then
    assertThat(changes.outbox())
        .filteredOn(row -> row.kind() == OutboxKind.EVENT)
        .extracting(row -> OutboxPayload.order(row.payload()).orElseThrow())
        .extracting(order -> order.status() + "/" + order.version())
        .containsExactly("PENDING/1", "CONFIRMED/2", "REFUNDED/3");
    assertThat(changes.inserted()).hasSize(1);
    assertThat(changes.buckets()).isEmpty();
  }

  /** Its bytes are none, or those of another order. */
  @ParameterizedTest
  @ValueSource(strings = {"B", "AA", "", "."})
  void shouldDeadLetterWhenTheTokenIsNotTheTextOfAnId(String end) {
    // given
    String text = token(1).value();
    OrderToken odd =
        new OrderToken(BUCKET.skuId(), BUCKET.bucket(), text.substring(0, text.length() - 1) + end);
    Grant grant = Grants.of(odd, "user-1", 1, 7, EPOCH, 1_000, 2_000);

    // when
    BatchChanges changes =
        replay(snapshot(new Bucket(BUCKET, 5, 0, 0, EPOCH)), List.of(reserve(grant)));

    // then
    assertThat(changes.dead()).isEqualTo(Map.of(DeadCause.FLAW, 1));
    assertThat(changes.inserted()).isEmpty();
    assertThat(changes.outbox().get(0).payload()).contains("a token that is the text of 128 bits");
  }

  @Test
  void shouldRejectAndReleaseWhenTheGrantIsWrittenOff() {
    // given
    String longName = "x".repeat(Limits.USER_ID_MAX + 1);
    Grant odd = Grants.of(token(1), longName, 5_000, 7, EPOCH, 1_000, 2_000);

    // when
    BatchChanges changes =
        replay(
            snapshot(new Bucket(BUCKET, 5, 0, 0, EPOCH)),
            List.of(new Command.Reject(odd, Reason.UNPROCESSABLE)));

    // then
    assertThat(names(changes)).containsExactly("ORDER_REJECTED", "RELEASE");
    assertThat(StockRows.of(changes)).isEmpty();
    assertThat(changes.inserted().get(0).userId()).hasSize(Limits.USER_ID_MAX);
    assertThat(OutboxPayload.releaseOf(changes.outbox().get(1).payload()))
        .isEqualTo(new OutboxPayload.Release(token(1), EPOCH, 7));
  }

  /**
   * A restored ledger may have lost some rebuilds, but not a million: an epoch that far ahead is
   * invalid.
   */
  @ParameterizedTest
  @CsvSource({"3,1000003,true", "3,1000004,false", "900000,1000000,true"})
  void shouldTakeOverOnlyAnEpochThatARestoredLedgerMayHaveForgotten(
      long known, long granted, boolean taken) {
    // when
    BatchChanges changes =
        replay(
            snapshot(new Bucket(BUCKET, 10, 0, 0, known)),
            List.of(reserve(Grants.of(token(2), "user-2", 2, 2, granted, 1_000, 301_000))));

    // then
    assertThat(changes.booked()).hasSize(taken ? 1 : 0);
    assertThat(changes.dead()).isEqualTo(taken ? Map.of() : Map.of(DeadCause.EPOCH, 1));
    if (!taken) {
      assertThat(changes.outbox().get(0).payload())
          .contains("an epoch of at most " + (known + GrantFlaw.EPOCHS_LOST_MAX));
    }
  }
}
