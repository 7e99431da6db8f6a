package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.db.SqlSession;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.TakeResult;
import io.sluice.ledger.Move;
import io.sluice.ledger.Move.Part;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.mysql.BucketTable.LockedBucket;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.ledger.rules.OutboxPayload.Take;
import io.sluice.ledger.rules.RestockPlan;
import io.sluice.ledger.rules.RestockPlan.PartStatus;
import io.sluice.ledger.rules.RestockPlan.Restock;
import io.sluice.ledger.rules.SkuRules;
import io.sluice.model.BucketId;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transaction in which an owner records the answer of Redis to an intent to take units from a
 * bucket: of a take-back, or for other buckets of the SKU.
 */
abstract class TakeTransaction {
  private static final Logger log = LoggerFactory.getLogger(TakeTransaction.class);

  final SqlSession session;
  final OutboxRow intent;

  /** That Redis was asked to take them from, and how many. */
  private final BucketId bucket;

  private final long units;

  private TakeTransaction(SqlSession session, OutboxRow intent, BucketId bucket, long units) {
    this.session = session;
    this.intent = intent;
    this.bucket = bucket;
    this.units = units;
  }

  /**
   * @param moved given the number of units that this transaction moves to other buckets, 0 if none;
   *     called for each attempt
   */
  static TakeTransaction of(SqlSession session, OutboxRow intent, LongConsumer moved) {
    moved.accept(0);
    return OutboxPayload.isMove(intent)
        ? new OfMove(session, intent, OutboxPayload.moveOf(intent.payload()), moved)
        : new OfRestock(session, intent, OutboxPayload.takeOf(intent.payload()));
  }

  /**
   * Redis has removed the units.
   *
   * @param epoch of the bucket when Redis was asked
   * @param version of the total when Redis was asked
   */
  Future<TakeResult> finish(Fence fence, long epoch, long version) {
    return record(
        fence,
        epoch,
        version,
        sku ->
            mayTake(sku) && sku.bucket(bucket.bucket()).free() >= units
                ? carryOut(sku)
                : giveBack(sku));
  }

  /** Redis had too few units; parameters as of {@link #finish}. */
  Future<TakeResult> refuse(Fence fence, long epoch, long version) {
    return record(fence, epoch, version, this::refused);
  }

  /**
   * Runs the action with all that it changes locked, if the intent is pending and the answer is
   * still one of the bucket as it is.
   */
  private Future<TakeResult> record(
      Fence fence, long epoch, long version, Function<SkuTransaction, Future<TakeResult>> action) {
    return PartitionTable.under(
        session,
        fence,
        TakeResult.FENCE_LOST,
        () ->
            OutboxTable.lockPending(session, intent)
                .compose(
                    pending ->
                        pending
                            ? hold()
                                .compose(
                                    sku ->
                                        isAsAsked(sku, epoch, version)
                                            ? action.apply(sku)
                                            : Future.succeededFuture(TakeResult.BUCKET_CHANGED))
                            : Future.succeededFuture(TakeResult.DONE)));
  }

  private boolean isAsAsked(SkuTransaction sku, long epoch, long version) {
    LockedBucket now = sku.bucket(bucket.bucket());
    return now.epoch() == epoch && now.version() == version;
  }

  /**
   * Fewer units are free than Redis had only if something is wrong: in one epoch Redis never has
   * more than the ledger. The total is set in Redis again.
   */
  private Future<TakeResult> giveBack(SkuTransaction sku) {
    if (mayTake(sku)) {
      log.atError()
          .addKeyValue("sku", bucket.skuId())
          .addKeyValue("bucket", bucket.bucket())
          .addKeyValue("units", units)
          .log("Redis has taken back more units than the ledger has free; its total is set again");
    }
    return whole(sku).compose(all -> all.write(all.sku())).compose(told -> refused(sku));
  }

  /** Locks the SKU, this bucket, and what else the answer changes. */
  abstract Future<SkuTransaction> hold();

  /** The same SKU with all of its buckets locked. */
  abstract Future<SkuTransaction> whole(SkuTransaction sku);

  /** Whether the SKU is still in a state in which the units are wanted. */
  abstract boolean mayTake(SkuTransaction sku);

  abstract Future<TakeResult> carryOut(SkuTransaction sku);

  abstract Future<TakeResult> refused(SkuTransaction sku);

  /** Units that leave the SKU; if they are refused, they are taken from other buckets. */
  private static final class OfRestock extends TakeTransaction {
    private final Take take;

    private OfRestock(SqlSession session, OutboxRow intent, Take take) {
      super(session, intent, take.bucket(), take.units());
      this.take = take;
    }

    @Override
    Future<SkuTransaction> hold() {
      return SkuTable.lock(session, take.bucket().skuId())
          .compose(sku -> SkuTransaction.on(session, sku.orElseThrow()));
    }

    @Override
    Future<SkuTransaction> whole(SkuTransaction sku) {
      return Future.succeededFuture(sku);
    }

    @Override
    boolean mayTake(SkuTransaction sku) {
      return true;
    }

    @Override
    Future<TakeResult> carryOut(SkuTransaction sku) {
      Map<Integer, Long> changes = StockReduction.taken(take);
      return sku.allot(changes, bucket -> take.id())
          .compose(done -> end(sku, PartStatus.TAKEN, changes));
    }

    @Override
    Future<TakeResult> refused(SkuTransaction sku) {
      return end(sku, PartStatus.REFUSED, Map.of());
    }

    private Future<TakeResult> end(
        SkuTransaction sku, PartStatus status, Map<Integer, Long> changes) {
      return RestockTable.endPart(session, take, status)
          .compose(done -> OutboxTable.sent(session, List.of(intent)))
          .compose(done -> RestockTable.read(session, take.bucket().skuId(), take.restockId()))
          .compose(
              restock -> {
                Restock recorded = restock.orElseThrow();
                StockReduction takeBack =
                    new StockReduction(session, sku, take.restockId(), -recorded.qty());
                return takeBack.proceed(changes);
              })
          .map(TakeResult.DONE);
    }
  }

  /** Units for other buckets of the SKU, whose requests are answered. */
  private static final class OfMove extends TakeTransaction {
    private final Move move;
    private final LongConsumer moved;

    private OfMove(SqlSession session, OutboxRow intent, Move move, LongConsumer moved) {
      super(session, intent, move.from(), move.units());
      this.move = move;
      this.moved = moved;
    }

    @Override
    Future<SkuTransaction> hold() {
      Set<Integer> buckets = new HashSet<>(Set.of(move.from().bucket()));
      move.parts().forEach(part -> buckets.add(part.bucket()));
      return SkuTable.share(session, move.from().skuId())
          .compose(sku -> SkuTransaction.on(session, sku.orElseThrow(), buckets));
    }

    /** Locks more than was held, so two that do it may meet; one of them is repeated. */
    @Override
    Future<SkuTransaction> whole(SkuTransaction sku) {
      return SkuTransaction.on(session, sku.sku());
    }

    /** Not once the SKU has begun to end, or is in its next sale. */
    @Override
    boolean mayTake(SkuTransaction sku) {
      return SkuRules.mayMove(sku.sku(), move);
    }

    @Override
    Future<TakeResult> carryOut(SkuTransaction sku) {
      Map<Integer, Long> changes = new TreeMap<>();
      move.parts().forEach(part -> changes.merge(part.bucket(), part.units(), Long::sum));
      changes.merge(move.from().bucket(), -move.units(), Long::sum);
      return sku.move(changes, bucket -> RestockPlan.moveToken(intent.id(), bucket))
          .compose(done -> close(part -> OutboxPayload.moved(part.units())))
          .onSuccess(done -> moved.accept(move.units()));
    }

    @Override
    Future<TakeResult> refused(SkuTransaction sku) {
      return close(part -> OutboxPayload.refused("too few units"));
    }

    private Future<TakeResult> close(Function<Part, String> answer) {
      return OutboxTable.sent(session, List.of(intent))
          .compose(
              sent ->
                  AsyncLoop.forEach(
                      move.parts(),
                      part ->
                          RequestTable.closeServed(session, part.requestId(), answer.apply(part))))
          .map(TakeResult.DONE);
    }
  }
}
