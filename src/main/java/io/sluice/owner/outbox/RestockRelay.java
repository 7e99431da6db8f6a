package io.sluice.owner.outbox;

import io.sluice.async.AsyncLoop;
import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.ledger.Buckets.TakeResult;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Moves.Move;
import io.sluice.ledger.Outbox.OutboxKind;
import io.sluice.ledger.Outbox.OutboxRow;
import io.sluice.ledger.rules.MovePayload;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.BucketId;
import io.sluice.owner.fencing.OwnerContext;
import io.sluice.owner.rebuild.BucketLoader;
import io.sluice.owner.rebuild.Rebuilder;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore.Take;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sets Redis to the allotment, settings and state that the ledger records, and executes take-backs:
 * Redis removes the units first, then the ledger. Units that move to other buckets are taken
 * likewise.
 *
 * <p>The rows of one bucket are processed in order; one that cannot be done yet blocks those after
 * it, of the same bucket only.
 */
final class RestockRelay {
  static final int PAGE_MAX = 500;

  /** Buckets of a page that are worked on at the same time. */
  static final int AT_ONCE_MAX = 64;

  /** Is told what becomes of units that move. */
  interface Moves {
    /** The units of a move have left their bucket, or stay there, or it is not known which. */
    void ended(Move move);

    /** Redis shows the units that have come to a bucket. */
    void received(BucketId bucket);
  }

  private final OwnerContext context;
  private final Rebuilder rebuilder;
  private final Moves moves;

  RestockRelay(OwnerContext context, Rebuilder rebuilder, Moves moves) {
    this.context = context;
    this.rebuilder = rebuilder;
    this.moves = moves;
  }

  /** Relays one page; true where it was full and at least one row was done. */
  Future<Boolean> relay() {
    return context
        .ledger()
        .pending(context.ownership().partition(), OutboxKind.RESTOCK, 0, PAGE_MAX)
        .compose(
            rows -> {
              Map<BucketId, List<OutboxRow>> byBucket = new LinkedHashMap<>();
              rows.forEach(
                  row ->
                      byBucket
                          .computeIfAbsent(
                              OutboxPayload.bucketOf(row.payload()), id -> new ArrayList<>())
                          .add(row));
              return new Page(byBucket).run().map(done -> rows.size() == PAGE_MAX && done > 0);
            });
  }

  /**
   * The rows of a page by their buckets, of which a limited number is worked on at a time: a sale
   * of thousands of SKUs that changes must leave connections to booking.
   */
  private final class Page {
    private final Deque<Map.Entry<BucketId, List<OutboxRow>>> left;
    private int done;
    private @Nullable Throwable failure;

    Page(Map<BucketId, List<OutboxRow>> byBucket) {
      this.left = new ArrayDeque<>(byBucket.entrySet());
    }

    /** How many rows are done; fails after all others where a bucket has failed. */
    Future<Integer> run() {
      List<Future<Void>> lanes =
          Stream.generate(() -> AsyncLoop.whileTrue(this::next)).limit(AT_ONCE_MAX).toList();
      return Future.join(lanes)
          .compose(
              ended ->
                  failure == null ? Future.succeededFuture(done) : Future.failedFuture(failure));
    }

    private Future<Boolean> next() {
      Map.Entry<BucketId, List<OutboxRow>> bucket = left.poll();
      if (bucket == null) {
        return Future.succeededFuture(false);
      }
      return inOrder(bucket.getKey(), bucket.getValue())
          .transform(
              (rows, failed) -> {
                if (failed == null) {
                  done += rows;
                } else if (failure == null) {
                  failure = failed;
                }
                return Future.succeededFuture(true);
              });
    }
  }

  /** Processes the rows in order until one cannot be done yet. Returns how many are done. */
  private Future<Integer> inOrder(BucketId bucket, List<OutboxRow> rows) {
    AtomicInteger done = new AtomicInteger();
    return AsyncLoop.whileTrue(
            () ->
                relay(bucket, rows.get(done.get()))
                    .map(ok -> ok && done.incrementAndGet() < rows.size()))
        .map(ended -> done.get());
  }

  private Future<Boolean> relay(BucketId bucket, OutboxRow row) {
    return switch (row.eventType()) {
      case OutboxPayload.TAKE -> take(bucket, row, OutboxPayload.takeOf(row.payload()).units());
      case OutboxPayload.MOVE -> move(bucket, row, MovePayload.moveOf(row.payload()));
      default -> set(bucket, row);
    };
  }

  private Future<Boolean> move(BucketId bucket, OutboxRow row, Move move) {
    return take(bucket, row, move.units())
        .onComplete(
            ended -> {
              // Where the outcome is unknown it may be done, and then there is no row to ask again.
              if (ended.failed() || ended.result()) {
                moves.ended(move);
              }
            });
  }

  private Future<Boolean> set(BucketId bucket, OutboxRow row) {
    return context
        .ledger()
        .bucket(bucket)
        .compose(
            found -> {
              if (found.filter(this::isShown).isEmpty()) {
                return sent(row);
              }
              return show(found.get())
                  .compose(code -> code == BucketCode.OK ? shown(bucket, row) : notYet(code));
            });
  }

  private Future<Boolean> shown(BucketId bucket, OutboxRow row) {
    if (MovePayload.isReceived(row.payload())) {
      moves.received(bucket);
    }
    return sent(row);
  }

  /**
   * Redis has nothing of a bucket that has ended, nor has it here where its next sale is elsewhere.
   */
  private boolean isShown(BucketRow row) {
    return !row.state().isEnded() && row.partition() == context.ownership().partition();
  }

  /** Sets the bucket in Redis to what the ledger records, unless Redis has that version already. */
  private Future<BucketCode> show(BucketRow row) {
    return context
        .stock()
        .restock(row.id(), context.ownership().term(), BucketLoader.ceiling(row))
        .onSuccess(
            code -> {
              if (code == BucketCode.NEEDS_REBUILD) {
                rebuilder.request(row.id(), "a limit per buyer was switched on");
              }
            });
  }

  /**
   * Takes units in Redis only where Redis has the same total as the ledger, which must not include
   * this intent yet. A total set after the units were taken would bring them back; one set after
   * the intent is completed no longer has them.
   */
  private Future<Boolean> take(BucketId bucket, OutboxRow row, long units) {
    return context
        .ledger()
        .bucket(bucket)
        .map(Optional::orElseThrow)
        .compose(
            before ->
                isPending(row)
                    .compose(
                        pending ->
                            pending ? takeFrom(before, row, units) : Future.succeededFuture(true)));
  }

  private Future<Boolean> isPending(OutboxRow row) {
    return context
        .ledger()
        .pending(row.partition(), OutboxKind.RESTOCK, row.id() - 1, 1)
        .map(next -> !next.isEmpty() && next.get(0).id() == row.id());
  }

  private Future<Boolean> takeFrom(BucketRow now, OutboxRow row, long units) {
    if (OutboxPayload.isMove(row) && !isShown(now)) {
      // Redis has nothing of it, so nothing was taken.
      return taken(BucketCode.TOO_FEW, row, now);
    }
    return show(now)
        .compose(
            code ->
                code == BucketCode.OK
                    ? askForUnits(now, row.id(), units)
                    : Future.succeededFuture(code))
        .compose(code -> taken(code, row, now));
  }

  /** The row's id is the take id: both rise in the same order within a bucket. */
  private Future<BucketCode> askForUnits(BucketRow now, long id, long units) {
    return context
        .stock()
        .take(
            now.id(), context.ownership().term(), new Take(id, now.epoch(), now.version(), units));
  }

  private Future<Boolean> taken(BucketCode code, OutboxRow row, BucketRow from) {
    Ledger ledger = context.ledger();
    Fence fence = context.ownership().fence();
    return switch (code) {
      case OK -> settle(() -> ledger.finishTake(fence, row, from.epoch(), from.version()));
      case TOO_FEW -> settle(() -> ledger.refuseTake(fence, row, from.epoch(), from.version()));
      default -> notYet(code);
    };
  }

  private Future<Boolean> settle(Supplier<Future<TakeResult>> transaction) {
    return context
        .sequencer()
        .take("take-back", transaction)
        .compose(
            result ->
                result == TakeResult.FENCE_LOST
                    ? Future.failedFuture(context.ownership().lose())
                    : Future.succeededFuture(result == TakeResult.DONE));
  }

  private Future<Boolean> notYet(BucketCode code) {
    return code == BucketCode.STALE_TERM
        ? context.owned().apply(List.of()).map(false)
        : Future.succeededFuture(false);
  }

  private Future<Boolean> sent(OutboxRow row) {
    return context.ledger().sent(List.of(row.id())).map(true);
  }
}
