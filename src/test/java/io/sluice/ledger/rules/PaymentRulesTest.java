package io.sluice.ledger.rules;

import static io.sluice.ledger.rules.BatchScene.BUCKET;
import static io.sluice.ledger.rules.BatchScene.EPOCH;
import static io.sluice.ledger.rules.BatchScene.NOW_MS;
import static io.sluice.ledger.rules.BatchScene.grant;
import static io.sluice.ledger.rules.BatchScene.names;
import static io.sluice.ledger.rules.BatchScene.order;
import static io.sluice.ledger.rules.BatchScene.replay;
import static io.sluice.ledger.rules.BatchScene.reserve;
import static io.sluice.ledger.rules.BatchScene.snapshot;
import static io.sluice.ledger.rules.BatchScene.token;
import static io.sluice.ledger.rules.BatchScene.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.rules.BatchChanges.OrderMove;
import io.sluice.ledger.rules.BatchChanges.OrderNote;
import io.sluice.ledger.rules.BatchSnapshot.Bucket;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderNotes;
import io.sluice.model.OrderStatus;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Payments that have a name: the first one counts, and each further one is told once. */
class PaymentRulesTest {
  private static final Bucket ROOM = new Bucket(BUCKET, 100, 6, 4, EPOCH);

  // paid: how the order was paid, or paid too late, before; none: without a name.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          # status   | paid | told | events              | note   | shown
          PENDING    | -    | p    | ORDER_CONFIRMED     | -      | p
          CONFIRMED  | none | p    | PAYMENT_REFERENCED  | PAID   | p
          CONFIRMED  | none | -    | -                   | -      | -
          CONFIRMED  | p    | -    | -                   | -      | p
          CONFIRMED  | p    | p    | -                   | -      | p
          CONFIRMED  | p    | q    | PAYMENT_DOUBLE      | DOUBLE | p
          CANCELED   | -    | p    | PAYMENT_LATE        | -      | p
          CANCELED   | none | p    | PAYMENT_DOUBLE      | DOUBLE | p
          CANCELED   | p    | p    | -                   | -      | p
          CANCELED   | p    | q    | PAYMENT_DOUBLE      | DOUBLE | p
          REJECTED   | -    | p    | PAYMENT_LATE        | -      | p
          REJECTED   | p    | q    | PAYMENT_DOUBLE      | DOUBLE | p
          REFUNDED   | none | p    | PAYMENT_REFERENCED  | PAID   | p
          REFUNDED   | p    | p    | -                   | -      | p
          REFUNDED   | p    | q    | PAYMENT_DOUBLE      | DOUBLE | p
          """)
  void shouldTellEachFurtherPaymentOnce(
      OrderStatus status, String paid, String told, String events, String note, String shown) {
    // given
    Order order = paidWith(status, paid);
    Command confirm = new Command.Confirm(token(1), told);

    // when
    BatchChanges changes = replay(snapshot(ROOM, order), List.of(confirm, confirm, confirm));

    // then
    assertThat(names(changes)).isEqualTo(words(events));
    assertThat(changes.notes()).extracting(written -> written.kind().name()).isEqualTo(words(note));
    assertThat(after(changes, order).notes().paymentRef()).isEqualTo(shown);
  }

  @Test
  void shouldNameThePaymentThatHasToBePaidBack() {
    // given
    Order order = paidWith(OrderStatus.CONFIRMED, "p");

    // when
    BatchChanges changes =
        replay(snapshot(ROOM, order), List.of(new Command.Confirm(token(1), "q\"")));

    // then
    JsonObject event = new JsonObject(changes.outbox().get(0).payload());
    assertThat(event.getString("double_ref")).isEqualTo("q\"");
    assertThat(event.getString("payment_ref")).isEqualTo("p");
    assertThat(event.getLong("version")).isEqualTo(order.version() + 1);
    assertThat(event.getString("status")).isEqualTo("CONFIRMED");
  }

  @Test
  void shouldKeepThePaymentWithTheMove() {
    // when
    BatchChanges changes =
        replay(
            snapshot(ROOM, order(OrderStatus.PENDING, false)),
            List.of(new Command.Confirm(token(1), "p"), new Command.Confirm(token(1), "q")));

    // then
    assertThat(changes.moves()).extracting(OrderMove::reference).containsExactly("p");
    assertThat(changes.moves().get(0).step()).isEqualTo(4);
    assertThat(changes.notes()).extracting(OrderNote::number).containsExactly(1);
    assertThat(StockRows.of(changes)).hasSize(1);
  }

  @Test
  void shouldRecordNoMorePaymentsThanItKeeps() {
    // given
    List<Command> payments =
        IntStream.range(0, 2 * OrderNotes.PAYMENTS_MAX)
            .<Command>mapToObj(i -> new Command.Confirm(token(1), "p" + i))
            .toList();

    // when
    BatchChanges changes = replay(snapshot(ROOM, order(OrderStatus.PENDING, false)), payments);

    // then
    assertThat(changes.notes()).hasSize(OrderNotes.PAYMENTS_MAX - 1);
  }

  /** However often its buyer was given more time, the money of a second payment must go back. */
  @Test
  void shouldTellPaymentsWhenItWasExtendedAsOftenAsItCan() {
    // given
    OrderNotes full =
        new OrderNotes(OrderNotes.EXTENSIONS_MAX, true, null, Set.of(), Map.of(), 0, 0);
    Order confirmed = order(OrderStatus.PENDING, false).noted(full, NOW_MS - 2).paid(null, NOW_MS);
    List<Command> payments =
        List.of(new Command.Confirm(token(1), "p"), new Command.Confirm(token(1), "q"));

    // when
    BatchChanges changes = replay(snapshot(ROOM, confirmed), payments);

    // then
    assertThat(names(changes)).containsExactly("PAYMENT_REFERENCED", "PAYMENT_DOUBLE");
  }

  /** One checkout may pay for several orders. */
  @Test
  void shouldConfirmEachOrderWhenOnePaymentIsForTwo() {
    // given
    List<Command> commands =
        List.of(
            reserve(grant(2)),
            new Command.Confirm(token(1), "p"),
            new Command.Confirm(token(2), "p"));

    // when
    BatchChanges changes = replay(snapshot(ROOM, order(OrderStatus.PENDING, false)), commands);

    // then
    assertThat(names(changes))
        .containsExactly("ORDER_BOOKED", "ORDER_CONFIRMED", "ORDER_CONFIRMED");
    assertThat(changes.notes()).isEmpty();
  }

  private static Order paidWith(OrderStatus status, String paid) {
    boolean ended = status == OrderStatus.CANCELED || status == OrderStatus.REJECTED;
    if (paid == null) {
      return order(status, false);
    }
    String ref = paid.equals("none") ? null : paid;
    if (ended) {
      return order(status, false).paidLate(ref, NOW_MS - 1);
    }
    Order confirmed = order(OrderStatus.PENDING, false).paid(ref, NOW_MS - 2);
    return status == OrderStatus.REFUNDED
        ? confirmed.refunded(2, confirmed.notes(), NOW_MS - 1)
        : confirmed;
  }

  private static Order after(BatchChanges changes, Order before) {
    return changes.updated().isEmpty() ? before : changes.updated().get(0).after();
  }
}
