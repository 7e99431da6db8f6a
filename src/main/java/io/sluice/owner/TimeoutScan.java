package io.sluice.owner;

import io.sluice.ledger.Ledger;
import io.sluice.model.Command;
import io.sluice.model.Reason;
import io.sluice.orderlog.OrderLog;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cancels orders that were not paid in time.
 *
 * <p>What acts on the absence of a payment first notes the time and the log's end, and acts on what
 * was due then only once the log is booked so far: a payment deep in the log is not late. If the
 * log cannot be read, orders wait.
 */
final class TimeoutScan {
  static final int PAGE_MAX = 500;

  /** What was seen when the scan began: the database's clock, and the end of the log. */
  private record Noted(long dueMs, long endOffset) {}

  private final Ledger ledger;
  private final OwnedLedger owned;
  private final Ownership ownership;
  private final OrderLog orderLog;
  private @Nullable Noted noted;

  TimeoutScan(Ledger ledger, OwnedLedger owned, Ownership ownership, OrderLog orderLog) {
    this.ledger = ledger;
    this.owned = owned;
    this.ownership = ownership;
    this.orderLog = orderLog;
  }

  /** One page; true where more is due at once. */
  Future<Boolean> step() {
    Noted before = noted;
    return before == null ? note().compose(this::cancelDue) : cancelDue(before);
  }

  private Future<Noted> note() {
    return ledger
        .nowMs()
        .compose(
            nowMs ->
                orderLog
                    .endOffset(ownership.partition())
                    .map(endOffset -> new Noted(nowMs, endOffset)))
        .onSuccess(now -> noted = now);
  }

  private Future<Boolean> cancelDue(Noted now) {
    if (ownership.fence().nextOffset() < now.endOffset()) {
      return Future.succeededFuture(false);
    }
    return ledger
        .due(ownership.partition(), now.dueMs(), PAGE_MAX)
        .compose(
            due -> {
              boolean more = due.size() == PAGE_MAX;
              if (!more) {
                noted = null;
              }
              if (due.isEmpty()) {
                return Future.succeededFuture(false);
              }
              List<Command> cancels =
                  due.stream()
                      .<Command>map(token -> new Command.Cancel(token, Reason.TIMEOUT))
                      .toList();
              return owned.apply(cancels).map(more);
            });
  }
}
