package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.TakeResult;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.ledger.rules.OutboxPayload.Take;
import io.sluice.ledger.rules.Restock;
import io.sluice.ledger.rules.RestockPlan.PartStatus;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The transaction in which an owner records the answer of Redis to a take-back intent. */
final class ReductionTransaction {
  private static final Logger log = LoggerFactory.getLogger(ReductionTransaction.class);

  private final SqlSession session;
  private final OutboxRow intent;
  private final Take take;

  ReductionTransaction(SqlSession session, OutboxRow intent) {
    this.session = session;
    this.intent = intent;
    this.take = OutboxPayload.takeOf(intent.payload());
  }

  /**
   * Redis has removed the units.
   *
   * @param epoch of the bucket when Redis was asked
   * @param version of the total when Redis was asked
   */
  Future<TakeResult> finish(Fence fence, long epoch, long version) {
    return answered(epoch, version)
        .record(
            fence, sku -> sku.bucket(bucket()).free() < take.units() ? giveBack(sku) : lower(sku));
  }

  /**
   * Redis had too few units.
   *
   * @param epoch of the bucket when Redis was asked
   * @param version of the total when Redis was asked
   */
  Future<TakeResult> refuse(Fence fence, long epoch, long version) {
    return answered(epoch, version).record(fence, sku -> end(sku, PartStatus.REFUSED, Map.of()));
  }

  private AnsweredIntent answered(long epoch, long version) {
    return new AnsweredIntent(session, intent, take.bucket(), this::hold, epoch, version);
  }

  private Future<SkuTransaction> hold() {
    return SkuTable.lock(session, take.bucket().skuId())
        .compose(sku -> SkuTransaction.on(session, sku.orElseThrow()));
  }

  private int bucket() {
    return take.bucket().bucket();
  }

  private Future<TakeResult> lower(SkuTransaction sku) {
    Map<Integer, Long> changes = StockReduction.taken(take);
    return sku.allot(changes, bucket -> take.id())
        .compose(done -> end(sku, PartStatus.TAKEN, changes));
  }

  /**
   * Redis has removed more units than the ledger has free. In one epoch Redis never has more than
   * the ledger, so this cannot happen. The bucket's total is set in Redis again, and the units are
   * taken from other buckets.
   */
  private Future<TakeResult> giveBack(SkuTransaction sku) {
    log.atError()
        .addKeyValue("sku", take.bucket().skuId())
        .addKeyValue("bucket", take.bucket().bucket())
        .addKeyValue("units", take.units())
        .log("Redis has taken back more units than the ledger has free; its total is set again");
    return sku.write(sku.sku()).compose(told -> end(sku, PartStatus.REFUSED, Map.of()));
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
