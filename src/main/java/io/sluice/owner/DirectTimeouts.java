package io.sluice.owner;

import io.sluice.async.AsyncLoop;
import io.sluice.ledger.DirectLedger;
import io.sluice.ledger.Ledger;
import io.sluice.model.Command;
import io.sluice.model.OrderToken;
import io.sluice.model.Placement;
import io.sluice.model.Reason;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;

/**
 * Cancels orders of SKUs that sell in the ledger alone and that were not paid in time. Any number
 * of instances may: the lock of a bucket decides which of them ends an order, and the others find
 * it ended.
 *
 * <p>While the ledger is away nobody can pay. The time at which one of these instances could last
 * read it is stored; a gap extends the deadlines by its length, once.
 */
public final class DirectTimeouts {
  /** Commands in one transaction. */
  static final int BATCH_MAX = 500;

  private final Ledger ledger;
  private final DirectLedger direct;
  private final DueScan due;
  private final Outages outages;

  /**
   * @param every the interval at which {@link #step} is called
   */
  public DirectTimeouts(Ledger ledger, DirectLedger direct, Duration every) {
    this.ledger = ledger;
    this.direct = direct;
    this.due = new DueScan(ledger, Placement.DIRECT, this::cancel);
    this.outages = new Outages(ledger, direct, due, every);
  }

  /** Scans one page; true if more is due at once. */
  public Future<Boolean> step() {
    return ledger
        .nowMs()
        .compose(outages::read)
        .onFailure(away -> outages.away())
        .compose(now -> due.step(now, page -> {}, page -> {}));
  }

  private Future<Void> cancel(List<OrderToken> tokens) {
    int[] from = new int[1];
    return AsyncLoop.whileTrue(
        () -> {
          if (from[0] >= tokens.size()) {
            return Future.succeededFuture(false);
          }
          int to = Math.min(tokens.size(), from[0] + BATCH_MAX);
          List<Command> some =
              tokens.subList(from[0], to).stream()
                  .<Command>map(token -> new Command.Cancel(token, Reason.TIMEOUT))
                  .toList();
          from[0] = to;
          return direct.apply(some).map(true);
        });
  }
}
