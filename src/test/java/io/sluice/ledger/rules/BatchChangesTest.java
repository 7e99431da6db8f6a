package io.sluice.ledger.rules;

import static io.sluice.ledger.rules.BatchScene.BUCKET;
import static io.sluice.ledger.rules.BatchScene.EPOCH;
import static io.sluice.ledger.rules.BatchScene.NOW_MS;
import static io.sluice.ledger.rules.BatchScene.grant;
import static io.sluice.ledger.rules.BatchScene.order;
import static io.sluice.ledger.rules.BatchScene.replay;
import static io.sluice.ledger.rules.BatchScene.reserve;
import static io.sluice.ledger.rules.BatchScene.snapshot;
import static io.sluice.ledger.rules.BatchScene.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.sluice.ledger.Ledger.Booked;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.Step.Result;
import io.sluice.ledger.rules.BatchChanges.DeadCause;
import io.sluice.ledger.rules.BatchSnapshot.Bucket;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.Reason;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the result of a batch reports to its caller. */
class BatchChangesTest {
  private static final Bucket ROOM = new Bucket(BUCKET, 100, 6, 4, EPOCH);

  @ParameterizedTest
  @CsvSource({
    "PENDING, CANCEL, false, true, true",
    "PENDING, CONFIRM, false, false, true",
    "PENDING, RESERVE, false, false, false",
    "CONFIRMED, REFUND, false, true, true",
    "CANCELED, CONFIRM, true, false, false",
  })
  void shouldSayWhichPassesHaveWorkWhenApplied(
      OrderStatus before, String command, boolean late, boolean released, boolean events) {
    // given
    BatchSnapshot snapshot = snapshot(ROOM, order(before, late));

    // when
    Result.Applied applied =
        replay(snapshot, List.of(BatchScene.command(command))).applied(snapshot);

    // then
    assertThat(applied.outbox().contains(OutboxKind.RELEASE)).isEqualTo(released);
    assertThat(applied.outbox().contains(OutboxKind.EVENT)).isEqualTo(events);
  }

  @Test
  void shouldTellHowLateATimeOutCameAndOfNoOtherEnd() {
    // given
    Order due = order(OrderStatus.PENDING, false);
    BatchSnapshot snapshot = snapshot(ROOM, due);

    // when
    List<Long> timedOut = lags(snapshot, new Command.Cancel(due.token(), Reason.TIMEOUT));
    List<Long> byBuyer = lags(snapshot, new Command.Cancel(due.token(), Reason.BUYER));
    List<Long> paid = lags(snapshot, new Command.Confirm(due.token()));

    // then
    assertThat(timedOut).containsExactly(NOW_MS - due.payBeforeMs());
    assertThat(byBuyer).isEmpty();
    assertThat(paid).isEmpty();
  }

  @Test
  void shouldTellEachOrderAsItIsNowWhenItWasBookedDirectly() {
    // given
    Order known = order(OrderStatus.PENDING, false);
    BatchSnapshot snapshot = snapshot(new Bucket(BUCKET, 13, 6, 4, EPOCH), known);
    BatchChanges changes =
        replay(
            snapshot,
            List.of(new Command.Confirm(known.token()), reserve(grant(2)), reserve(grant(3))));

    // when
    Booked booked = changes.booked(snapshot);

    // then
    assertThat(booked.orders()).containsOnlyKeys(known.token(), token(2), token(3));
    assertThat(booked.orders().get(known.token()).status()).isEqualTo(OrderStatus.CONFIRMED);
    assertThat(booked.orders().get(token(2)).status()).isEqualTo(OrderStatus.PENDING);
    assertThat(booked.orders().get(token(3)).status()).isEqualTo(OrderStatus.REJECTED);
    assertThat(booked.unsound()).isTrue();
  }

  @Test
  void shouldCountDeadLettersAloneWhenOtherRowsAreWritten() {
    // given
    List<Command> commands =
        List.of(
            new Command.Malformed("?", "not JSON"),
            reserve(grant(2)),
            new Command.Cancel(token(2), Reason.BUYER));

    // when
    BatchChanges changes = replay(snapshot(ROOM), commands);

    // then
    assertThat(changes.outbox()).hasSize(4);
    assertThat(changes.dead()).containsExactly(entry(DeadCause.MALFORMED, 1));
  }

  private static List<Long> lags(BatchSnapshot snapshot, Command command) {
    return replay(snapshot, List.of(command)).timeoutLagsMs();
  }
}
