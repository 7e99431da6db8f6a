package io.sluice.ledger.rules;

import io.sluice.ledger.rules.BatchSnapshot.Bucket;
import io.sluice.ledger.rules.OutboxPayload.OutboxDraft;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.Order;
import io.sluice.model.OrderNotes;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.model.Reason;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Shorthand for the tables of {@link LedgerBatch}'s tests. */
final class BatchScene {
  static final BucketId BUCKET = new BucketId(1001, 0);
  static final OrderTokens TOKENS = new OrderTokens(new byte[16]);
  static final long NOW_MS = 5_000_000;
  static final long EPOCH = 3;
  static final int PARTITION = 2;

  private BatchScene() {}

  static BatchSnapshot snapshot(Bucket bucket, Order... orders) {
    return new BatchSnapshot(
        PARTITION,
        NOW_MS,
        Map.of(BUCKET, bucket),
        Arrays.stream(orders).collect(Collectors.toMap(Order::token, order -> order)));
  }

  static Order order(OrderStatus status, boolean late) {
    boolean ended = status == OrderStatus.CANCELED || status == OrderStatus.REJECTED;
    Reason reason = ended ? Reason.BUYER : null;
    return new Order(
        Grants.of(token(1), "user-1", 2, 7, EPOCH, 1_000, 2_000),
        new Order.Life(status, reason, 4, late ? 9 : 0, 1_500, OrderNotes.NONE),
        false);
  }

  /** An order of two units of a buyer of its own. */
  static Order pendingUntil(int number, long payBeforeMs) {
    return new Order(
        Grants.of(token(number), "user-" + number, 2, number, EPOCH, 1_000, payBeforeMs),
        new Order.Life(OrderStatus.PENDING, null, 1, 0, 1_500, OrderNotes.NONE),
        false);
  }

  /** Replays commands of the log. */
  static BatchChanges replay(BatchSnapshot snapshot, List<Command> commands) {
    return LedgerBatch.replay(snapshot, commands, LedgerBatch.Source.LOG);
  }

  static Command command(String name) {
    return switch (name) {
      case "CONFIRM" -> new Command.Confirm(token(1));
      case "CANCEL" -> new Command.Cancel(token(1), Reason.TIMEOUT);
      case "REFUND" -> new Command.Refund(token(1));
      case "REJECT" -> new Command.Reject(grant(1), Reason.UNPROCESSABLE);
      default -> reserve(grant(1));
    };
  }

  static Command reserve(Grant grant) {
    return new Command.Reserve(grant, null);
  }

  static Grant grant(int number) {
    return Grants.of(token(number), "user-" + number, 2, number, EPOCH, 1_000, 301_000);
  }

  static OrderToken token(int number) {
    return TOKENS.tokenFor("user-" + number, BUCKET, null);
  }

  static List<String> names(BatchChanges changes) {
    return changes.outbox().stream().map(OutboxDraft::eventType).toList();
  }

  static List<String> words(String text) {
    return text == null ? List.of() : List.of(text.split(" "));
  }

  static List<Long> delta(BatchChanges changes) {
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
