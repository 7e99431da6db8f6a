package io.sluice.owner;

import io.sluice.async.AsyncLoop;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.TakeResult;
import io.sluice.ledger.Move;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.BucketId;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore.Take;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sets Redis to the allotment, settings and state that the ledger records, and executes take-backs:
 * Redis removes the units first, then the ledger. Units that move to other buckets are taken
 * likewise.
 *
 * <p>The rows of one bucket are processed in order. One that cannot be done yet blocks those after
 * it, of the same bucket only, however many they are. A pass goes on to its end, page by page, and
 * leaves out buckets that it has found blocked.
 */
final class RestockRelay {
  static final int PAGE_MAX = 500;

  /** So many buckets do not fail each for itself: the pass rests after the page. */
  static final int FAILURES_MAX = 10;

  /** Buckets of a page that are worked on at the same time. */
  static final int AT_ONCE_MAX = 64;

  private final OwnerContext context;
  private final Rebuilder rebuilder;
  private final Lender lender;

  /** How far the pass is, which may go on after a rest. */
  private long afterId;

  /** Buckets of which this pass could not do a row: those after it wait. */
  private final Set<BucketId> blocked = new HashSet<>();

  /** The first failure of this pass, which it ends with. */
  private @Nullable Throwable failure;

  /** How many buckets have failed since the last rest. */
  private int failures;

  RestockRelay(OwnerContext context, Rebuilder rebuilder, Lender lender) {
    this.context = context;
    this.rebuilder = rebuilder;
    this.lender = lender;
  }

  /** Relays one page of the pass; false when its end is reached. */
  Future<Boolean> relay() {
    return context
        .ledger()
        .pending(context.ownership().partition(), OutboxKind.RESTOCK, afterId, PAGE_MAX)
        .compose(rows -> relay(byBucket(rows)).compose(done -> next(rows)));
  }

  /**
   * The next page. Fails at the end of a pass in which a bucket has failed, also before a rest, and
   * after a page up to which many have. The rows behind that page are next then, since these may
   * fail for good.
   */
  private Future<Boolean> next(List<OutboxRow> rows) {
    boolean isLast = rows.size() < PAGE_MAX || context.ownership().isLost();
    afterId = isLast ? 0 : rows.get(rows.size() - 1).id();
    if (!isLast && failures < FAILURES_MAX) {
      return Future.succeededFuture(true);
    }
    Throwable first = failure;
    failures = 0;
    if (isLast) {
      blocked.clear();
      failure = null;
    }
    return first == null ? Future.succeededFuture(false) : Future.failedFuture(first);
  }

  private Map<BucketId, List<OutboxRow>> byBucket(List<OutboxRow> rows) {
    Map<BucketId, List<OutboxRow>> byBucket = new LinkedHashMap<>();
    for (OutboxRow row : rows) {
      BucketId bucket = OutboxPayload.bucketOf(row.payload());
      if (!blocked.contains(bucket)) {
        byBucket.computeIfAbsent(bucket, id -> new ArrayList<>()).add(row);
      }
    }
    return byBucket;
  }

  /**
   * Works on a limited number of buckets at a time: a sale of thousands of SKUs that changes must
   * leave connections to booking.
   */
  private Future<?> relay(Map<BucketId, List<OutboxRow>> byBucket) {
    Deque<Map.Entry<BucketId, List<OutboxRow>>> left = new ArrayDeque<>(byBucket.entrySet());
    return Future.join(
        Stream.generate(() -> AsyncLoop.whileTrue(() -> relayNext(left)))
            .limit(AT_ONCE_MAX)
            .toList());
  }

  private Future<Boolean> relayNext(Deque<Map.Entry<BucketId, List<OutboxRow>>> left) {
    Map.Entry<BucketId, List<OutboxRow>> next = left.poll();
    return next == null
        ? Future.succeededFuture(false)
        : inOrder(next.getKey(), next.getValue())
            .transform(
                (done, cause) -> {
                  if (cause != null) {
                    failures++;
                    failure = failure == null ? cause : failure;
                  }
                  if (cause != null || done < next.getValue().size()) {
                    blocked.add(next.getKey());
                  }
                  return Future.succeededFuture(true);
                });
  }

  /** Processes the rows in order until one cannot be done yet. Returns how many are done. */
  private Future<Integer> inOrder(BucketId bucket, List<OutboxRow> rows) {
    AtomicInteger done = new AtomicInteger();
    return AsyncLoop.whileTrue(
            () ->
                relay(bucket, rows.get(done.get()))
                    .map(ok -> ok && done.incrementAndGet() < rows.size()))
        .compose(ended -> giveUpMoves(bucket, rows.subList(done.get(), rows.size())))
        .map(ended -> done.get());
  }

  /** Moves wait behind a row that cannot be done yet, but not if the bucket is shut. */
  private Future<Void> giveUpMoves(BucketId bucket, List<OutboxRow> rows) {
    List<OutboxRow> behind = rows.stream().skip(1).filter(OutboxPayload::isMove).toList();
    return behind.isEmpty()
        ? Future.succeededFuture()
        : context
            .stock()
            .snapshot(bucket, List.of(), 0)
            .compose(
                seen ->
                    isShut(seen.code())
                        ? AsyncLoop.forEach(behind, row -> giveUp(bucket, row, seen.code()))
                        : Future.succeededFuture());
  }

  private Future<Boolean> giveUp(BucketId bucket, OutboxRow row, BucketCode shut) {
    return ended(
        OutboxPayload.moveOf(row.payload()), ifPending(bucket, row, now -> taken(shut, row, now)));
  }

  private Future<Boolean> relay(BucketId bucket, OutboxRow row) {
    return switch (row.eventType()) {
      case OutboxPayload.TAKE -> take(bucket, row, OutboxPayload.takeOf(row.payload()).units());
      case OutboxPayload.MOVE -> move(bucket, row, OutboxPayload.moveOf(row.payload()));
      default -> set(bucket, row);
    };
  }

  private Future<Boolean> move(BucketId bucket, OutboxRow row, Move move) {
    return ended(move, take(bucket, row, move.units()));
  }

  private Future<Boolean> ended(Move move, Future<Boolean> settled) {
    return settled.onComplete(
        (done, failure) -> {
          // After a failure no later pass may report its end: its row may be done already.
          if (failure != null || done) {
            lender.ended(move);
          }
        });
  }

  private Future<Boolean> set(BucketId bucket, OutboxRow row) {
    return context
        .ledger()
        .bucket(bucket)
        .compose(
            found -> {
              if (found.isEmpty() || context.ownership().isGone(found.get())) {
                return sent(row);
              }
              return show(found.get())
                  .compose(code -> code == BucketCode.OK ? shown(bucket, row) : notYet(code));
            });
  }

  private Future<Boolean> shown(BucketId bucket, OutboxRow row) {
    if (OutboxPayload.isReceived(row.payload())) {
      lender.received(bucket);
    }
    return sent(row);
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
   * Takes units in Redis only if Redis has the same total as the ledger, which must not include
   * this intent yet. A total set after the units were taken would bring them back; one set after
   * the intent is completed no longer has them.
   */
  private Future<Boolean> take(BucketId bucket, OutboxRow row, long units) {
    return ifPending(bucket, row, before -> takeFrom(before, row, units));
  }

  /**
   * The bucket is read before its row is found to be PENDING still. Of a SKU that was deleted
   * nothing is taken.
   */
  private Future<Boolean> ifPending(
      BucketId bucket, OutboxRow row, Function<BucketRow, Future<Boolean>> settle) {
    return context
        .ledger()
        .bucket(bucket)
        .compose(
            before ->
                before.isEmpty()
                    ? sent(row)
                    : isPending(row)
                        .compose(
                            pending ->
                                pending
                                    ? settle.apply(before.get())
                                    : Future.succeededFuture(true)));
  }

  private Future<Boolean> isPending(OutboxRow row) {
    return context
        .ledger()
        .pending(row.partition(), OutboxKind.RESTOCK, row.id() - 1, 1)
        .map(next -> next.equals(List.of(row)));
  }

  private Future<Boolean> takeFrom(BucketRow now, OutboxRow row, long units) {
    if (OutboxPayload.isMove(row) && context.ownership().isGone(now)) {
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
      default ->
          OutboxPayload.isMove(row) && isShut(code)
              ? settle(() -> ledger.refuseTake(fence, row, from.epoch(), from.version()))
              : notYet(code);
    };
  }

  /**
   * Whether Redis grants nothing of the bucket until it is loaded from the ledger, which also
   * brings back what an earlier attempt may have taken. The buckets that ask for its units must not
   * wait for that.
   */
  private static boolean isShut(BucketCode code) {
    return code.isAway() || code == BucketCode.NEEDS_REBUILD;
  }

  private Future<Boolean> settle(Supplier<Future<TakeResult>> transaction) {
    return context
        .sequencer()
        .take("take-back", transaction)
        .compose(
            result ->
                context
                    .ownership()
                    .expectHeld(result != TakeResult.FENCE_LOST)
                    .map(held -> result == TakeResult.DONE));
  }

  private Future<Boolean> notYet(BucketCode code) {
    return code == BucketCode.STALE_TERM
        ? context.owned().apply(List.of()).map(false)
        : Future.succeededFuture(false);
  }

  private Future<Boolean> sent(OutboxRow row) {
    return context.ledger().sent(List.of(row)).map(true);
  }
}
