package io.sluice.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.BatchChanges.Change;
import io.sluice.ledger.BatchPicture.Bucket;
import io.sluice.ledger.Ledger.OutboxKind;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.model.Reason;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every rule of the gate and of an order's life, as tables. */
class LedgerBatchTest {
  private static final BucketId BUCKET = new BucketId(1001, 0);
  private static final OrderTokens TOKENS = new OrderTokens(new byte[16]);
  private static final long NOW_MS = 5_000_000;
  private static final long EPOCH = 3;
  private static final int PARTITION = 2;

  // What one command makes of an order of 2 units, in a bucket that holds 6 and has sold 4.
  // late: the order's late payment was noted before.
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
    BatchPicture picture = picture(new Bucket(BUCKET, 100, 6, 4, EPOCH), order);

    // when
    BatchChanges changes = LedgerBatch.replay(picture, List.of(command(command)));

    // then
    assertThat(names(changes)).isEqualTo(words(outbox));
    assertThat(changes.rows())
        .extracting(row -> row.action() + "/" + row.qty())
        .isEqualTo(words(rows).stream().map(row -> row + "/2").toList());
    assertThat(delta(changes)).containsExactly(held, sold);
    assertThat(changes.inserted()).isEmpty();
    if (outbox == null) {
      assertThat(changes.updated()).isEmpty();
    } else {
      Order expected =
          outbox.equals("PAYMENT_LATE")
              ? order.paidLate(NOW_MS)
              : order.changed(after, reason, NOW_MS);
      assertThat(changes.updated()).containsExactly(new Change<>(order, expected));
    }
    assertThat(changes.booked())
        .isEqualTo(command.equals("RESERVE") ? List.of(order.token()) : List.of());
  }

  // What the gate makes of a RESERVE of 2 units, in the order of its checks.
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
          false   | 4     | 9    | 300    | -         | -            | DEAD                         | false  | 0     | false
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
    BatchPicture picture =
        known ? picture(bucket, order(OrderStatus.PENDING, false)) : picture(bucket);
    Grant grant = new Grant(token(1), "user-1", 2, 7, epoch, 1_000, 1_000 + window);

    // when
    BatchChanges changes = LedgerBatch.replay(picture, List.of(reserve(grant)));

    // then
    assertThat(changes.inserted())
        .extracting(Order::status)
        .isEqualTo(status == null ? List.of() : List.of(status));
    assertThat(changes.rows()).extracting(row -> row.action().name()).isEqualTo(words(rows));
    assertThat(names(changes)).isEqualTo(words(outbox));
    assertThat(changes.booked()).isEqualTo(booked ? List.of(token(1)) : List.of());
    assertThat(changes.stale()).isEqualTo(stale);
    assertThat(changes.full()).isEqualTo(full ? List.of(BUCKET) : List.of());
  }

  @ParameterizedTest
  @CsvSource({
    "0, user, 1, 3, 1000, 2000",
    "1001, user, 1, 3, 1000, 2000",
    "1, 'us er', 1, 3, 1000, 2000",
    "1, '', 1, 3, 1000, 2000",
    "1, user, 0, 3, 1000, 2000",
    "1, user, 1, 0, 1000, 2000",
    "1, user, 1, 3, -1, 2000",
    "1, user, 1, 3, 1000, -1",
  })
  void shouldDeadLetterWhenAValueIsOutOfRange(
      int qty, String user, long seq, long epoch, long grantedAtMs, long payBeforeMs) {
    // given
    Grant grant = new Grant(token(1), user, qty, seq, epoch, grantedAtMs, payBeforeMs);

    // when
    BatchChanges changes =
        LedgerBatch.replay(picture(new Bucket(BUCKET, 10, 0, 0, EPOCH)), List.of(reserve(grant)));

    // then
    assertThat(changes.outbox()).extracting(OutboxDraft::kind).containsExactly(OutboxKind.DEAD);
    assertThat(changes.dead()).isEqualTo(1);
    assertThat(changes.inserted()).isEmpty();
    assertThat(changes.booked()).isEmpty();
  }

  @Test
  void shouldDeadLetterWhenTheBucketIsNotOurs() {
    // given
    BatchPicture nothing = new BatchPicture(PARTITION, NOW_MS, Map.of(), Map.of());

    // when
    BatchChanges changes =
        LedgerBatch.replay(
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
  void shouldDecideOneAfterTheOtherWhenTheLastUnitsAreWanted() {
    // given
    BatchPicture picture = picture(new Bucket(BUCKET, 5, 0, 0, EPOCH));
    List<Command> commands =
        List.of(
            reserve(grant(1)),
            reserve(grant(2)),
            reserve(grant(1)),
            reserve(grant(3)),
            new Command.Cancel(token(1), Reason.BUYER),
            reserve(grant(4)));

    // when
    BatchChanges changes = LedgerBatch.replay(picture, commands);

    // then
    assertThat(changes.inserted())
        .extracting(Order::status)
        .containsExactly(
            OrderStatus.CANCELED, OrderStatus.PENDING, OrderStatus.REJECTED, OrderStatus.PENDING);
    assertThat(changes.booked()).containsExactly(token(1), token(2), token(3), token(4));
    assertThat(delta(changes)).containsExactly(4L, 0L);
  }

  @Test
  void shouldTellTheOrderAsItWasWhenItChangesTwice() {
    // given
    BatchPicture picture = picture(new Bucket(BUCKET, 5, 0, 0, EPOCH));

    // when
    BatchChanges changes =
        LedgerBatch.replay(
            picture,
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

  @Test
  void shouldRejectAndReleaseWhenTheGrantIsWrittenOff() {
    // given
    String longName = "x".repeat(100);
    Grant odd = new Grant(token(1), longName, 5_000, 7, 2, 1_000, 2_000);

    // when
    BatchChanges changes =
        LedgerBatch.replay(
            picture(new Bucket(BUCKET, 5, 0, 0, EPOCH)),
            List.of(new Command.Reject(odd, Reason.UNPROCESSABLE)));

    // then
    assertThat(names(changes)).containsExactly("ORDER_REJECTED", "RELEASE");
    assertThat(changes.rows()).isEmpty();
    assertThat(changes.inserted().get(0).userId()).hasSize(64);
    assertThat(OutboxPayload.releaseOf(changes.outbox().get(1).payload()))
        .isEqualTo(new OutboxPayload.Release(token(1), 2, 7));
  }

  // ---- words

  private static BatchPicture picture(Bucket bucket, Order... orders) {
    return new BatchPicture(
        PARTITION,
        NOW_MS,
        Map.of(BUCKET, bucket),
        Arrays.stream(orders).collect(Collectors.toMap(Order::token, order -> order)));
  }

  private static Order order(OrderStatus status, boolean late) {
    boolean ended = status == OrderStatus.CANCELED || status == OrderStatus.REJECTED;
    Reason reason = ended ? Reason.BUYER : null;
    return new Order(
        token(1), "user-1", 2, 7, EPOCH, status, reason, 4, 2_000, late ? 9 : 0, 1_000, 1_500);
  }

  private static Command command(String name) {
    return switch (name) {
      case "CONFIRM" -> new Command.Confirm(token(1));
      case "CANCEL" -> new Command.Cancel(token(1), Reason.TIMEOUT);
      case "REFUND" -> new Command.Refund(token(1));
      case "REJECT" -> new Command.Reject(grant(1), Reason.UNPROCESSABLE);
      default -> reserve(grant(1));
    };
  }

  private static Command reserve(Grant grant) {
    return new Command.Reserve(grant, null);
  }

  private static Grant grant(int number) {
    return new Grant(token(number), "user-" + number, 2, number, EPOCH, 1_000, 301_000);
  }

  private static OrderToken token(int number) {
    return TOKENS.tokenFor("user-" + number, BUCKET, null);
  }

  private static List<String> names(BatchChanges changes) {
    return changes.outbox().stream().map(OutboxDraft::eventType).toList();
  }

  private static List<String> words(String text) {
    return text == null ? List.of() : List.of(text.split(" "));
  }

  private static List<Long> delta(BatchChanges changes) {
    return changes.buckets().stream()
        .findFirst()
        .map(
            change ->
                List.of(
                    change.after().held() - change.before().held(),
                    change.after().sold() - change.before().sold()))
        .orElse(List.of(0L, 0L));
  }
}
