package io.sluice.ledger.rules;

import static io.sluice.ledger.rules.BatchScene.BUCKET;
import static io.sluice.ledger.rules.BatchScene.EPOCH;
import static io.sluice.ledger.rules.BatchScene.NOW_MS;
import static io.sluice.ledger.rules.BatchScene.PARTITION;
import static io.sluice.ledger.rules.BatchScene.delta;
import static io.sluice.ledger.rules.BatchScene.grant;
import static io.sluice.ledger.rules.BatchScene.names;
import static io.sluice.ledger.rules.BatchScene.order;
import static io.sluice.ledger.rules.BatchScene.pendingUntil;
import static io.sluice.ledger.rules.BatchScene.replay;
import static io.sluice.ledger.rules.BatchScene.reserve;
import static io.sluice.ledger.rules.BatchScene.snapshot;
import static io.sluice.ledger.rules.BatchScene.token;
import static io.sluice.ledger.rules.BatchScene.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.rules.BatchSnapshot.Bucket;
import io.sluice.ledger.rules.OutboxPayload.OutboxDraft;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.Reason;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every rule of the gate, as a table. */
class GateTest {

  // The gate's outcome for a RESERVE of 2 units, in the order of its checks.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          # known | epoch | free | window | status    | rows         | outbox                       | booked | stale | full
          true    | 2     | 0    | 300    | -         | -            | -                            | true   | 0     | false
          true    | 4     | 0    | 300    | -         | -            | -                            | true   | 0     | false
          false   | 2     | 0    | 300    | -         | -            | STALE_GRANT_DROPPED          | false  | 1     | false
          false   | 4     | 9    | 300    | PENDING   | HOLD         | ORDER_BOOKED                 | true   | 0     | false
          false   | 4     | 1    | 300    | REJECTED  | -            | ORDER_REJECTED               | true   | 0     | true
          false   | 2000000 | 9  | 300    | -         | -            | DEAD                         | false  | 0     | false
          false   | 3     | 1    | 300    | REJECTED  | -            | ORDER_REJECTED               | true   | 0     | true
          false   | 3     | 2    | 300    | PENDING   | HOLD         | ORDER_BOOKED                 | true   | 0     | false
          false   | 3     | 2    | 0      | CONFIRMED | HOLD CONFIRM | ORDER_BOOKED ORDER_CONFIRMED | true   | 0     | false
          """)
  void shouldAskTheGateInOrderWhenReserved(
      boolean known,
      long epoch,
      long free,
      long window,
      OrderStatus status,
      String rows,
      String outbox,
      boolean booked,
      int stale,
      boolean full) {
    // given
    Bucket bucket = new Bucket(BUCKET, 20 + free, 12, 8, EPOCH);
    BatchSnapshot snapshot =
        known ? snapshot(bucket, order(OrderStatus.PENDING, false)) : snapshot(bucket);
    Grant grant = Grants.of(token(1), "user-1", 2, 7, epoch, 1_000, 1_000 + window);

    // when
    BatchChanges changes = replay(snapshot, List.of(reserve(grant)));

    // then
    assertThat(changes.inserted())
        .extracting(Order::status)
        .isEqualTo(status == null ? List.of() : List.of(status));
    assertThat(StockRows.of(changes)).extracting(row -> row.action().name()).isEqualTo(words(rows));
    assertThat(names(changes)).isEqualTo(words(outbox));
    assertThat(changes.booked()).isEqualTo(booked ? List.of(token(1)) : List.of());
    assertThat(changes.stale()).hasSize(stale);
    assertThat(changes.full()).isEqualTo(full ? List.of(BUCKET) : List.of());
  }

  @ParameterizedTest
  @CsvSource({
    "0, user, 1, 3, 1000, 2000, a qty of 1 to 1000",
    "1001, user, 1, 3, 1000, 2000, a qty of 1 to 1000",
    "1, 'us er', 1, 3, 1000, 2000, a user id",
    "1, '', 1, 3, 1000, 2000, a user id",
    "1, user, 0, 3, 1000, 2000, a seq and an epoch of at least 1",
    "1, user, 1, 0, 1000, 2000, a seq and an epoch of at least 1",
    "1, user, 1, 3, -1, 2000, times of at least 0",
    "1, user, 1, 3, 1000, -1, times of at least 0",
  })
  void shouldDeadLetterWhenAValueIsOutOfRange(
      int qty,
      String user,
      long seq,
      long epoch,
      long grantedAtMs,
      long payBeforeMs,
      String expected) {
    // given
    Grant grant = Grants.of(token(1), user, qty, seq, epoch, grantedAtMs, payBeforeMs);

    // when
    BatchChanges changes =
        replay(snapshot(new Bucket(BUCKET, 10, 0, 0, EPOCH)), List.of(reserve(grant)));

    // then
    assertThat(changes.outbox()).extracting(OutboxDraft::kind).containsExactly(OutboxKind.DEAD);
    assertThat(changes.dead().values()).containsExactly(1);
    assertThat(changes.inserted()).isEmpty();
    assertThat(changes.booked()).isEmpty();
    JsonObject letter = new JsonObject(changes.outbox().get(0).payload());
    assertThat(letter.getString("why")).isEqualTo("Expected " + expected + ", but got another");
    assertThat(new JsonObject(letter.getString("raw")))
        .isEqualTo(
            new JsonObject()
                .put("type", "RESERVE")
                .put("order_token", grant.token().value())
                .put("user_id", user)
                .put("qty", qty)
                .put("seq", seq)
                .put("epoch", epoch)
                .put("granted_at", grantedAtMs)
                .put("pay_before", payBeforeMs));
  }

  @ParameterizedTest
  @CsvSource({"1000, 1, 0, 0", "1, 9007199254740991, 1000, 1000"})
  void shouldBookWhenAValueIsAtTheEndOfItsRange(
      int qty, long seq, long grantedAtMs, long payBeforeMs) {
    // given
    Grant grant = Grants.of(token(1), "u".repeat(64), qty, seq, EPOCH, grantedAtMs, payBeforeMs);

    // when
    BatchChanges changes =
        replay(snapshot(new Bucket(BUCKET, 1_000, 0, 0, EPOCH)), List.of(reserve(grant)));

    // then
    assertThat(changes.dead()).isEmpty();
    assertThat(changes.inserted())
        .singleElement()
        .extracting(Order::qty, Order::seq, Order::createdAtMs)
        .containsExactly(qty, seq, grantedAtMs);
  }

  @Test
  void shouldDeadLetterWhenTheBucketIsNotOurs() {
    // given
    BatchSnapshot nothing = new BatchSnapshot(PARTITION, NOW_MS, Map.of(), Map.of());

    // when
    BatchChanges changes =
        replay(
            nothing,
            List.of(
                reserve(grant(1)),
                new Command.Confirm(token(1)),
                new Command.Reject(grant(1), Reason.UNPROCESSABLE)));

    // then
    assertThat(names(changes)).containsExactly("DEAD");
    assertThat(changes.inserted()).isEmpty();
  }

  @Test
  void shouldNotRejectAGrantOfAnOlderEpochWhenItsKeyMayBeGrantedAnew() {
    // given
    BatchSnapshot snapshot = snapshot(new Bucket(BUCKET, 5, 0, 0, EPOCH + 1));

    // when
    BatchChanges changes =
        replay(snapshot, List.of(new Command.Reject(grant(1), Reason.UNPROCESSABLE)));

    // then
    assertThat(changes.inserted()).isEmpty();
    assertThat(changes.outbox()).isEmpty();
    assertThat(changes.stale()).hasSize(1);
  }

  @Test
  void shouldTakeTheEpochOverOnceWhenTheLedgerDoesNotKnowIt() {
    // given
    BatchSnapshot snapshot = snapshot(new Bucket(BUCKET, 10, 0, 0, EPOCH));
    List<Command> commands =
        List.of(
            reserve(grant(1)),
            reserve(inEpoch(2, EPOCH + 4)),
            reserve(inEpoch(3, EPOCH + 4)),
            reserve(grant(4)));

    // when
    BatchChanges changes = replay(snapshot, commands);

    // then
    assertThat(changes.ahead()).containsExactly(BUCKET);
    assertThat(changes.booked()).containsExactly(token(1), token(2), token(3));
    assertThat(changes.stale()).hasSize(1);
    assertThat(changes.buckets().get(0).after().epoch()).isEqualTo(EPOCH + 4);
    assertThat(delta(changes)).containsExactly(6L, 0L);
  }

  @ParameterizedTest
  @CsvSource({
    // pay_before of the older hold | its status, and that of a grant made at 1,000,000, afterwards
    "  500000, CANCELED, PENDING",
    " 1001999, CANCELED, PENDING",
    " 1002000, PENDING,  REJECTED",
  })
  void shouldEndHoldsThatAreOverWhenThereIsNoRoomForALaterGrant(
      long payBeforeMs, OrderStatus before, OrderStatus granted) {
    // given
    Order hold = pendingUntil(1, payBeforeMs);
    Order later = pendingUntil(2, 9_000_000);
    Grant grant = Grants.of(token(3), "user-3", 2, 9, EPOCH, 1_000_000, 1_300_000);
    BatchSnapshot snapshot = snapshot(new Bucket(BUCKET, 4, 4, 0, EPOCH), hold, later);

    // when
    BatchChanges changes = replay(snapshot, List.of(reserve(grant)));

    // then
    assertThat(changes.inserted()).extracting(Order::status).containsExactly(granted);
    assertThat(changes.updated())
        .extracting(change -> change.after().status())
        .isEqualTo(before == OrderStatus.CANCELED ? List.of(before) : List.of());
    assertThat(changes.full()).hasSize(granted == OrderStatus.REJECTED ? 1 : 0);
    assertThat(delta(changes)).containsExactly(0L, 0L);
  }

  @Test
  void shouldEndHoldsOfTheSameBatchWhenThereIsNoRoomForALaterGrant() {
    // given
    BatchSnapshot snapshot = snapshot(new Bucket(BUCKET, 2, 0, 0, EPOCH));
    List<Command> commands =
        List.of(
            reserve(Grants.of(token(1), "user-1", 2, 2, EPOCH, 1_000, 2_000)),
            reserve(Grants.of(token(2), "user-2", 2, 4, EPOCH, 60_000, 61_000)),
            reserve(Grants.of(token(3), "user-3", 2, 6, EPOCH, 120_000, 420_000)),
            new Command.Confirm(token(1)));

    // when
    BatchChanges changes = replay(snapshot, commands);

    // then
    assertThat(changes.inserted())
        .extracting(Order::status)
        .containsExactly(OrderStatus.CANCELED, OrderStatus.CANCELED, OrderStatus.PENDING);
    assertThat(changes.inserted().get(0).latePaidAtMs()).isEqualTo(NOW_MS);
    assertThat(delta(changes)).containsExactly(2L, 0L);
  }

  private static Grant inEpoch(int number, long epoch) {
    return Grants.of(token(number), "user-" + number, 2, number, epoch, 1_000, 301_000);
  }

  @Test
  void shouldDecideOneAfterTheOtherWhenTheLastUnitsAreWanted() {
    // given
    BatchSnapshot snapshot = snapshot(new Bucket(BUCKET, 5, 0, 0, EPOCH));
    List<Command> commands =
        List.of(
            reserve(grant(1)),
            reserve(grant(2)),
            reserve(grant(1)),
            reserve(grant(3)),
            new Command.Cancel(token(1), Reason.BUYER),
            reserve(grant(4)));

    // when
    BatchChanges changes = replay(snapshot, commands);

    // then
    assertThat(changes.inserted())
        .extracting(Order::status)
        .containsExactly(
            OrderStatus.CANCELED, OrderStatus.PENDING, OrderStatus.REJECTED, OrderStatus.PENDING);
    assertThat(changes.booked()).containsExactly(token(1), token(2), token(3), token(4));
    assertThat(delta(changes)).containsExactly(4L, 0L);
  }
}
