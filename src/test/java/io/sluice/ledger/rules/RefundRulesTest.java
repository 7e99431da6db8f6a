package io.sluice.ledger.rules;

import static io.sluice.ledger.rules.BatchScene.BUCKET;
import static io.sluice.ledger.rules.BatchScene.EPOCH;
import static io.sluice.ledger.rules.BatchScene.names;
import static io.sluice.ledger.rules.BatchScene.order;
import static io.sluice.ledger.rules.BatchScene.replay;
import static io.sluice.ledger.rules.BatchScene.snapshot;
import static io.sluice.ledger.rules.BatchScene.token;
import static io.sluice.ledger.rules.BatchScene.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.rules.BatchSnapshot.Bucket;
import io.sluice.ledger.rules.OutboxPayload.OutboxDraft;
import io.sluice.model.Command;
import io.sluice.model.Command.RefundPart.Step;
import io.sluice.model.Order;
import io.sluice.model.OrderNotes;
import io.sluice.model.OrderStatus;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Refunds in two steps, and in parts: of a confirmed order of two units. */
class RefundRulesTest {
  private static final Bucket ROOM = new Bucket(BUCKET, 100, 6, 4, EPOCH);

  // ask:1:a requests a refund of one unit with the id a; all is the refund of everything.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          # commands                       | events and releases                                            | sold | status
          ask:1:a                          | REFUND_REQUESTED                                               | 0    | CONFIRMED
          ask:1:a ask:1:a ask:2:a          | REFUND_REQUESTED                                               | 0    | CONFIRMED
          ask:3:a                          | -                                                              | 0    | CONFIRMED
          ask:2:a ask:1:b                  | REFUND_REQUESTED                                               | 0    | CONFIRMED
          ask:1:a ask:1:b                  | REFUND_REQUESTED REFUND_REQUESTED                              | 0    | CONFIRMED
          done:a                           | -                                                              | 0    | CONFIRMED
          drop:a                           | -                                                              | 0    | CONFIRMED
          ask:1:a done:a                   | REFUND_REQUESTED REFUND_COMPLETED RELEASE:1                    | -1   | CONFIRMED
          ask:1:a done:a done:a drop:a     | REFUND_REQUESTED REFUND_COMPLETED RELEASE:1                    | -1   | CONFIRMED
          ask:2:a done:a                   | REFUND_REQUESTED ORDER_REFUNDED RELEASE:0                      | -2   | REFUNDED
          ask:1:a drop:a done:a            | REFUND_REQUESTED REFUND_REJECTED                               | 0    | CONFIRMED
          ask:2:a drop:a ask:2:b done:b    | REFUND_REQUESTED REFUND_REJECTED REFUND_REQUESTED ORDER_REFUNDED RELEASE:0 | -2 | REFUNDED
          ask:1:a done:a ask:2:b           | REFUND_REQUESTED REFUND_COMPLETED RELEASE:1                    | -1   | CONFIRMED
          ask:1:a done:a all               | REFUND_REQUESTED REFUND_COMPLETED RELEASE:1 ORDER_REFUNDED RELEASE:0 | -2 | REFUNDED
          ask:1:a all done:a               | REFUND_REQUESTED REFUND_REJECTED ORDER_REFUNDED RELEASE:0      | -2   | REFUNDED
          all ask:1:a all                  | ORDER_REFUNDED RELEASE:0                                       | -2   | REFUNDED
          """)
  void shouldGiveBackEachUnitOnce(String commands, String outbox, long sold, OrderStatus status) {
    // given
    Order order = order(OrderStatus.CONFIRMED, false);

    // when
    BatchChanges changes =
        replay(
            snapshot(ROOM, order), words(commands).stream().map(RefundRulesTest::command).toList());

    // then
    assertThat(changes.outbox().stream().map(RefundRulesTest::wordOf).toList())
        .isEqualTo(words(outbox));
    assertThat(BatchScene.delta(changes)).containsExactly(0L, sold);
    assertThat(StockRows.of(changes).stream().mapToLong(row -> row.qty()).sum()).isEqualTo(-sold);
    Order after = changes.updated().isEmpty() ? order : changes.updated().get(0).after();
    assertThat(after.status()).isEqualTo(status);
    assertThat(after.notes().refundedQty()).isEqualTo((int) -sold);
    assertThat(after.version())
        .isEqualTo(order.version() + changes.moves().size() + changes.notes().size());
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"CONFIRMED", "RESERVED"})
  void shouldRequestNothingWhenTheOrderIsNotConfirmed(OrderStatus status) {
    // when
    BatchChanges changes =
        replay(snapshot(ROOM, order(status, false)), List.of(command("ask:1:a")));

    // then
    assertThat(changes.outbox()).isEmpty();
    assertThat(changes.updated()).isEmpty();
  }

  @Test
  void shouldKeepTheOrderOfEventsWhenTheyAreOfTypesThatRepeat() {
    // given
    List<Command> commands =
        Stream.of("ask:1:a", "done:a", "ask:1:b", "done:b").map(RefundRulesTest::command).toList();
    BatchChanges changes = replay(snapshot(ROOM, order(OrderStatus.CONFIRMED, false)), commands);

    // when
    List<OutboxDraft> rows = OutboxList.combined(changes.outbox());

    // then
    assertThat(rows)
        .extracting(OutboxDraft::eventType)
        .containsExactly(
            "REFUND_REQUESTED",
            "REFUND_COMPLETED",
            "REFUND_REQUESTED",
            "ORDER_REFUNDED",
            "RELEASE");
    List<OutboxRow> events =
        rows.stream()
            .filter(row -> row.kind() == OutboxKind.EVENT)
            .map(row -> new OutboxRow(1, 0, row.kind(), row.eventType(), row.payload(), 0))
            .toList();
    assertThat(OutboxList.allEntries(events))
        .extracting(entry -> OutboxPayload.order(entry).orElseThrow().version())
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @Test
  void shouldRequestNoMoreRefundsThanItKeeps() {
    // given
    List<Command> commands =
        IntStream.range(0, 2 * OrderNotes.REFUNDS_MAX)
            .boxed()
            .flatMap(i -> Stream.of(command("ask:1:r" + i), command("drop:r" + i)))
            .toList();

    // when
    BatchChanges changes = replay(snapshot(ROOM, order(OrderStatus.CONFIRMED, false)), commands);

    // then
    assertThat(names(changes)).hasSize(2 * OrderNotes.REFUNDS_MAX);
  }

  private static Command command(String text) {
    String[] parts = text.split(":");
    return switch (parts[0]) {
      case "ask" ->
          new Command.RefundPart(token(1), parts[2], Integer.parseInt(parts[1]), Step.REQUEST);
      case "done" -> new Command.RefundPart(token(1), parts[1], 0, Step.COMPLETE);
      case "drop" -> new Command.RefundPart(token(1), parts[1], 0, Step.REJECT);
      default -> new Command.Refund(token(1));
    };
  }

  private static String wordOf(OutboxDraft draft) {
    return draft.kind() == OutboxKind.RELEASE
        ? "RELEASE:" + OutboxPayload.releaseOf(draft.payload()).left()
        : draft.eventType();
  }
}
