package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.SkuLedger.ArchiveResult;
import io.sluice.ledger.mysql.ArchiveTable.Job;
import io.sluice.ledger.mysql.LedgerRows.LockedBucket;
import io.sluice.ledger.rules.ArchivePage;
import io.sluice.ledger.rules.SkuRules;
import io.sluice.model.BucketId;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The transactions of the archive. Each locks the SKU, then the bucket whose rows it moves, as
 * every transaction that appends rows of that bucket does. So the rows are moved as they are, their
 * sums take their place in the same commit, and one that is cut off leaves nothing. It needs no
 * fence: a second worker would wait for the lock, and go on where the first one has ended.
 */
final class ArchiveTransaction {
  /** An order that has not ended at the end of its sale is one that was booked in between. */
  static final Duration AGAIN_AFTER = Duration.ofSeconds(30);

  private final SqlSession session;
  private final long nowMs;

  private ArchiveTransaction(SqlSession session, long nowMs) {
    this.session = session;
    this.nowMs = nowMs;
  }

  private static Future<ArchiveTransaction> on(SqlSession session) {
    return OrderTable.nowMs(session).map(nowMs -> new ArchiveTransaction(session, nowMs));
  }

  // ---- what is asked for

  static Future<ArchiveResult> ask(SqlSession session, long skuId, Optional<Long> saleNo) {
    return SkuTable.lock(session, skuId)
        .compose(
            sku ->
                sku.isEmpty()
                    ? Future.succeededFuture(new ArchiveResult.Unknown())
                    : on(session)
                        .compose(now -> now.ask(sku.get(), saleNo.orElse(sku.get().saleNo()))));
  }

  private Future<ArchiveResult> ask(Sku sku, long saleNo) {
    if (!sku.state().isEnded() && saleNo >= sku.saleNo()) {
      return Future.succeededFuture(new ArchiveResult.NotEnded(sku));
    }
    return ArchiveTable.job(session, sku.skuId())
        .compose(
            job -> {
              if (job.isPresent() && job.get().saleNo() >= saleNo) {
                return Future.succeededFuture(
                    job.get().isDone()
                        ? new ArchiveResult.Done(sku)
                        : new ArchiveResult.Working(sku));
              }
              return ArchiveTable.ask(session, sku.skuId(), saleNo, nowMs)
                  .map(asked -> new ArchiveResult.Working(sku));
            });
  }

  // ---- the next step

  static Future<Boolean> next(SqlSession session, int ordersMax) {
    return on(session)
        .compose(
            now ->
                ArchiveTable.next(session, now.nowMs)
                    .compose(
                        skuId ->
                            skuId.isEmpty()
                                ? Future.succeededFuture(false)
                                : now.next(skuId.get(), ordersMax).map(true)));
  }

  private Future<Void> next(long skuId, int ordersMax) {
    return SkuTable.lock(session, skuId)
        .compose(
            sku ->
                ArchiveTable.job(session, skuId)
                    .compose(
                        job ->
                            sku.isEmpty() || job.isEmpty() || job.get().isDone()
                                ? Future.succeededFuture()
                                : step(sku.get(), job.get(), most(sku.get(), ordersMax))));
  }

  private static int most(Sku sku, int ordersMax) {
    return sku.state().isEnded() ? ordersMax : Math.min(ordersMax, Ledger.BESIDE_A_SALE_MAX);
  }

  private Future<Void> step(Sku sku, Job job, int ordersMax) {
    BucketId id = new BucketId(sku.skuId(), job.bucket());
    return BucketTable.lock(session, List.of(id))
        .compose(
            locked ->
                locked.isEmpty()
                    ? Future.failedFuture("Expected bucket " + id + ", but there is none")
                    : holds(sku, job, locked.get(0), ordersMax));
  }

  private Future<Void> holds(Sku sku, Job job, LockedBucket bucket, int ordersMax) {
    return ArchiveTable.holds(session, bucket.id(), job.epoch(), job.seq(), ordersMax)
        .map(holds -> ArchivePage.of(holds, job.epoch(), job.seq(), ordersMax, job.saleNo()))
        .compose(
            page ->
                (page.ended() == 0
                        ? Future.succeededFuture(0L)
                        : ArchiveTable.move(session, bucket.id(), page, bucket.notes() > 0))
                    .compose(
                        moved ->
                            page.complete()
                                ? rejects(sku, behind(job, page), bucket, moved, ordersMax)
                                : counted(bucket, moved)
                                    .compose(
                                        done ->
                                            ArchiveTable.keep(
                                                session, sku.skuId(), behind(job, page)))));
  }

  private Job behind(Job job, ArchivePage page) {
    return new Job(
        job.saleNo(),
        job.bucket(),
        page.epoch(),
        page.lastSeq(),
        job.leftBehind() + page.running(),
        nowMs);
  }

  /** Rejected orders are few; once there are none left, the bucket is done. */
  private Future<Void> rejects(Sku sku, Job job, LockedBucket bucket, long moved, int ordersMax) {
    Future<Long> rejects =
        bucket.rejects() == 0
            ? Future.succeededFuture(0L)
            : ArchiveTable.lastReject(session, bucket.id(), job.saleNo(), ordersMax)
                .compose(
                    last ->
                        last.isEmpty()
                            ? Future.succeededFuture(0L)
                            : ArchiveTable.moveRejects(
                                session, bucket.id(), last.get(), job.saleNo()));
    return rejects.compose(
        rows ->
            counted(bucket, moved + rows)
                .compose(
                    done ->
                        rows == 0
                            ? bucketDone(sku, job, bucket, ordersMax)
                            : ArchiveTable.keep(session, sku.skuId(), job)));
  }

  private Future<Void> counted(LockedBucket bucket, long rows) {
    return rows == 0 ? Future.succeededFuture() : ArchiveTable.count(session, bucket.id(), rows);
  }

  /**
   * With the last bucket the rows of moves of all are folded, which are of no sale. They are
   * counted in the one that is locked: an audit that has begun to sum begins again. While the SKU
   * sells, its units move on, so there would be no end: the rows wait for the archive of that sale.
   */
  private Future<Void> bucketDone(Sku sku, Job job, LockedBucket bucket, int rowsMax) {
    int next = job.bucket() + 1;
    if (next < sku.buckets()) {
      return ArchiveTable.keep(
          session, sku.skuId(), new Job(job.saleNo(), next, 0, 0, job.leftBehind(), nowMs));
    }
    Future<Integer> folded =
        sku.state().isEnded()
            ? RestockTable.foldMoves(session, sku.skuId(), rowsMax)
            : Future.succeededFuture(0);
    return folded.compose(
        rows ->
            rows == 0
                ? allDone(sku, job)
                : counted(bucket, rows)
                    .compose(done -> ArchiveTable.keep(session, sku.skuId(), job)));
  }

  private Future<Void> allDone(Sku sku, Job job) {
    if (job.leftBehind() > 0) {
      return ArchiveTable.keep(
          session, sku.skuId(), new Job(job.saleNo(), 0, 0, 0, 0, nowMs + AGAIN_AFTER.toMillis()));
    }
    return ArchiveTable.keep(session, sku.skuId(), new Job(job.saleNo(), 0, 0, 0, 0, null))
        .compose(done -> EarlierSaleTable.archived(session, sku.skuId(), job.saleNo()))
        .compose(
            done ->
                sku.state() == SkuState.ENDED && job.saleNo() >= sku.saleNo()
                    ? SkuTable.update(session, SkuRules.archived(sku))
                    : Future.succeededFuture());
  }
}
