package io.sluice.ledger.rules;

import static io.sluice.ledger.rules.BatchScene.BUCKET;
import static io.sluice.ledger.rules.BatchScene.EPOCH;
import static io.sluice.ledger.rules.BatchScene.NOW_MS;
import static io.sluice.ledger.rules.BatchScene.grant;
import static io.sluice.ledger.rules.BatchScene.names;
import static io.sluice.ledger.rules.BatchScene.order;
import static io.sluice.ledger.rules.BatchScene.pendingUntil;
import static io.sluice.ledger.rules.BatchScene.replay;
import static io.sluice.ledger.rules.BatchScene.reserve;
import static io.sluice.ledger.rules.BatchScene.snapshot;
import static io.sluice.ledger.rules.BatchScene.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Step.Result;
import io.sluice.ledger.rules.BatchChanges.OrderNote;
import io.sluice.ledger.rules.BatchSnapshot.Bucket;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderNotes;
import io.sluice.model.OrderStatus;
import io.sluice.model.Reason;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** More time to pay. */
class ExtensionRulesTest {
  private static final Bucket ROOM = new Bucket(BUCKET, 100, 6, 4, EPOCH);
  private static final Command EXTEND = new Command.Extend(token(1), 600);
  private static final Command TIMEOUT = new Command.Cancel(token(1), Reason.TIMEOUT);

  private static Order pending() {
    return order(OrderStatus.PENDING, false);
  }

  @Test
  void shouldGiveTheTimeFromNowOn() {
    // given
    BatchSnapshot snapshot = snapshot(ROOM, pending());

    // when
    BatchChanges changes = replay(snapshot, List.of(EXTEND));

    // then
    assertThat(names(changes)).containsExactly("ORDER_EXTENDED");
    assertThat(changes.notes())
        .extracting(OrderNote::payBeforeMs)
        .containsExactly(NOW_MS + 600_000);
    assertThat(changes.updated().get(0).after().version()).isEqualTo(pending().version() + 1);
    assertThat(changes.buckets()).isEmpty();
    assertThat(changes.applied(snapshot).dueFromMs()).isEqualTo(NOW_MS + 600_000);
  }

  @Test
  void shouldChangeNothingWhenTheDeadlineIsLaterAlready() {
    // given
    List<Command> commands = List.of(EXTEND, EXTEND, new Command.Extend(token(1), 1));

    // when
    BatchChanges changes = replay(snapshot(ROOM, pending()), commands);

    // then
    assertThat(changes.notes()).hasSize(1);
  }

  @Test
  void shouldChangeNothingWhenItWasExtendedAsOftenAsItCan() {
    // given
    OrderNotes almost =
        new OrderNotes(OrderNotes.EXTENSIONS_MAX - 1, true, null, Set.of(), Map.of(), 0, 0);
    Order full = pending().noted(almost, NOW_MS - 10);

    // when
    BatchChanges changes = replay(snapshot(ROOM, full), List.of(EXTEND));

    // then
    assertThat(changes.updated()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"PENDING", "RESERVED"})
  void shouldChangeNothingWhenTheOrderIsNotPending(OrderStatus status) {
    // given
    BatchSnapshot snapshot = snapshot(ROOM, order(status, false));

    // when
    BatchChanges changes = replay(snapshot, List.of(EXTEND));

    // then
    assertThat(changes.updated()).isEmpty();
    assertThat(changes.outbox()).isEmpty();
    assertThat(changes.applied(snapshot).dueFromMs()).isEqualTo(Result.NOTHING_DUE);
  }

  /** The owner finds it by its earlier deadline as well. */
  @Test
  void shouldNotTimeOutBeforeItsNewDeadline() {
    // given
    Order extended = pending().extended(NOW_MS + 1, NOW_MS - 10);
    Order over = pending().extended(NOW_MS, NOW_MS - 10);

    // when
    BatchChanges early = replay(snapshot(ROOM, extended), List.of(TIMEOUT));
    BatchChanges late = replay(snapshot(ROOM, over), List.of(TIMEOUT));

    // then
    assertThat(early.updated()).isEmpty();
    assertThat(names(late)).containsExactly("ORDER_CANCELED", "RELEASE");
  }

  @Test
  void shouldEndBeforeItsNewDeadlineWhenItsBuyerCancels() {
    // given
    List<Command> commands = List.of(EXTEND, new Command.Cancel(token(1), Reason.BUYER));

    // when
    BatchChanges changes = replay(snapshot(ROOM, pending()), commands);

    // then
    assertThat(names(changes)).containsExactly("ORDER_EXTENDED", "ORDER_CANCELED", "RELEASE");
    // The scene's order has version 4, so three moves.
    assertThat(changes.moves().get(0).step()).isEqualTo(4);
  }

  /** In a ledger that was put back, its deadline in Redis says nothing about when it ended. */
  @Test
  void shouldNotMakeRoomForAGrantWhenItWasExtended() {
    // given
    Bucket full = new Bucket(BUCKET, 2, 2, 0, EPOCH);
    Order extended = pending().extended(NOW_MS + 1, NOW_MS - 10);

    // when
    BatchChanges changes = replay(snapshot(full, extended), List.of(reserve(grant(2))));

    // then
    assertThat(changes.full()).containsExactly(BUCKET);
    assertThat(changes.updated()).isEmpty();
  }

  /** What is paid or extended between two grants of a batch frees nothing for the second one. */
  @Test
  void shouldNotMakeRoomByAHoldThatTheSameBatchHasKept() {
    // given
    Bucket full = new Bucket(BUCKET, 6, 6, 0, EPOCH);
    Order[] holds = {pendingUntil(1, 2_000), pendingUntil(2, 2_001), pendingUntil(3, 2_002)};
    List<Command> commands =
        List.of(
            reserve(grant(4)),
            new Command.Extend(token(2), 600),
            new Command.Confirm(token(3)),
            reserve(grant(5)));

    // when
    BatchChanges changes = replay(snapshot(full, holds), commands);

    // then
    assertThat(names(changes))
        .containsExactly(
            "ORDER_CANCELED",
            "RELEASE",
            "ORDER_BOOKED",
            "ORDER_EXTENDED",
            "ORDER_CONFIRMED",
            "ORDER_REJECTED");
    assertThat(changes.buckets().get(0).after()).isEqualTo(new Bucket(BUCKET, 6, 4, 2, EPOCH));
  }
}
