package io.sluice.ledger.mysql;

import io.sluice.ledger.Buckets.TakeResult;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Moves;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.metrics.Meters;
import io.vertx.core.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The part of the ledger in MySQL or MariaDB that takes units from buckets: to take them back, or
 * to move them to others.
 */
abstract class MySqlMoves extends MySqlOutbox implements Moves {
  MySqlMoves(LedgerDatabase database, Meters meters) {
    super(database, meters);
  }

  /** See {@link io.sluice.ledger.Buckets#finishTake}. */
  public Future<TakeResult> finishTake(Fence fence, OutboxRow intent, long epoch, long version) {
    if (!OutboxPayload.isMove(intent)) {
      return database.inTransaction(
          session -> new ReductionTransaction(session, intent).finish(fence, epoch, version));
    }
    AtomicLong moved = new AtomicLong();
    return database
        .inTransaction(
            session ->
                new MoveTransaction(session).finish(fence, intent, epoch, version, moved::set))
        .onSuccess(
            done -> {
              if (moved.get() > 0) {
                meters.booking().moved(moved.get());
              }
            });
  }

  /** See {@link io.sluice.ledger.Buckets#refuseTake}. */
  public Future<TakeResult> refuseTake(Fence fence, OutboxRow intent, long epoch, long version) {
    return database.inTransaction(
        session ->
            OutboxPayload.isMove(intent)
                ? new MoveTransaction(session).refuse(fence, intent, epoch, version)
                : new ReductionTransaction(session, intent).refuse(fence, epoch, version));
  }

  @Override
  public Future<LendResult> lend(Fence fence, Move move) {
    return database.inTransaction(session -> new MoveTransaction(session).lend(fence, move));
  }
}
