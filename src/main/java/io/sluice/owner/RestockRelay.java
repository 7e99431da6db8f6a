package io.sluice.owner;

import io.sluice.ledger.Ledger.BucketRow;
import io.sluice.ledger.Ledger.OutboxKind;
import io.sluice.ledger.Ledger.OutboxRow;
import io.sluice.ledger.Ledger.TakeResult;
import io.sluice.ledger.OutboxPayload;
import io.sluice.model.BucketId;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore.Ceiling;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Brings Redis to the allotment, settings and state that the ledger records, and drives take-backs:
 * Redis gives the units up first, then the ledger.
 *
 * <p>The rows of one bucket are done one after the other; one that cannot be done yet holds those
 * behind it, of its bucket only.
 */
final class RestockRelay {
  static final int PAGE_MAX = 500;

  private final Duties duties;
  private final Rebuilder rebuilder;

  RestockRelay(Duties duties, Rebuilder rebuilder) {
    this.duties = duties;
    this.rebuilder = rebuilder;
  }

  /** One page; true where it was full and something of it could be done. */
  Future<Boolean> relay() {
    return duties
        .ledger()
        .pending(duties.ownership().partition(), OutboxKind.RESTOCK, 0, PAGE_MAX)
        .compose(
            rows -> {
              Map<BucketId, List<OutboxRow>> byBucket = new LinkedHashMap<>();
              rows.forEach(
                  row ->
                      byBucket
                          .computeIfAbsent(
                              OutboxPayload.bucketOf(row.payload()), id -> new ArrayList<>())
                          .add(row));
              List<Future<Integer>> buckets = new ArrayList<>();
              byBucket.forEach((bucket, ofBucket) -> buckets.add(inOrder(bucket, ofBucket, 0)));
              return Future.join(buckets)
                  .map(
                      done ->
                          rows.size() == PAGE_MAX
                              && buckets.stream().mapToInt(Future::result).sum() > 0);
            });
  }

  /** Gives how many rows, from the first on, are done. */
  private Future<Integer> inOrder(BucketId bucket, List<OutboxRow> rows, int done) {
    if (done == rows.size()) {
      return Future.succeededFuture(done);
    }
    OutboxRow row = rows.get(done);
    Future<Boolean> step =
        row.eventType().equals(OutboxPayload.TAKE)
            ? take(bucket, row, OutboxPayload.takeOf(row.payload()))
            : set(bucket, row);
    return step.compose(ok -> ok ? inOrder(bucket, rows, done + 1) : Future.succeededFuture(done));
  }

  private Future<Boolean> set(BucketId bucket, OutboxRow row) {
    return duties
        .ledger()
        .bucket(bucket)
        .compose(
            found -> {
              if (found.isEmpty()) {
                return sent(row);
              }
              return duties
                  .stock()
                  .restock(bucket, duties.ownership().term(), ceiling(found.get()))
                  .compose(
                      code -> {
                        if (code == BucketCode.OK) {
                          return sent(row);
                        }
                        if (code == BucketCode.NEEDS_REBUILD) {
                          rebuilder.request(bucket, "a limit per buyer was switched on");
                        }
                        return notYet(code);
                      });
            });
  }

  static Ceiling ceiling(BucketRow row) {
    return new Ceiling(row.version(), row.allotted(), row.state(), row.settings());
  }

  private Future<Boolean> take(BucketId bucket, OutboxRow row, OutboxPayload.Take take) {
    return duties
        .stock()
        .take(bucket, duties.ownership().term(), take.id(), take.units())
        .compose(
            taken -> {
              if (taken.code() == BucketCode.OK) {
                return settle(
                    () ->
                        duties.ledger().finishTake(duties.ownership().fence(), row, taken.epoch()));
              }
              if (taken.code() == BucketCode.TOO_FEW) {
                return settle(() -> duties.ledger().refuseTake(duties.ownership().fence(), row));
              }
              return notYet(taken.code());
            });
  }

  private Future<Boolean> settle(Supplier<Future<TakeResult>> transaction) {
    return duties
        .turns()
        .take(transaction)
        .compose(
            result ->
                result == TakeResult.FENCE_LOST
                    ? Future.failedFuture(duties.ownership().lose())
                    : Future.succeededFuture(result == TakeResult.DONE));
  }

  private Future<Boolean> notYet(BucketCode code) {
    return code == BucketCode.STALE_TERM
        ? duties.owned().apply(List.of()).map(false)
        : Future.succeededFuture(false);
  }

  private Future<Boolean> sent(OutboxRow row) {
    return duties.ledger().sent(List.of(row.id())).map(true);
  }
}
