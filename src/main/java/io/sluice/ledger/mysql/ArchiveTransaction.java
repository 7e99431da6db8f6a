package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.SkuLedger.ArchiveResult;
import io.sluice.ledger.mysql.BucketTable.LockedBucket;
import io.sluice.ledger.rules.ArchivePage;
import io.sluice.ledger.rules.BatchChanges.OrderMove;
import io.sluice.ledger.rules.SkuRules;
import io.sluice.model.BucketId;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of the archive. Each locks the SKU, then the bucket whose rows it moves, as
 * every transaction that appends rows of that bucket does. So the rows are moved as they are, their
 * sums take their place in the same commit, and one that is cut off leaves nothing. It needs no
 * fence: a second worker would wait for the lock, and go on where the first one has ended.
 */
record ArchiveTransaction(SqlSession session, long nowMs) {
  /** An order that has not ended at the end of its sale is one that was booked in between. */
  static final Duration AGAIN_AFTER = Duration.ofSeconds(30);

  private static Future<ArchiveTransaction> on(SqlSession session) {
    return OrderTable.nowMs(session).map(nowMs -> new ArchiveTransaction(session, nowMs));
  }

  // ---- what is asked for

  static Future<ArchiveResult> ask(SqlSession session, long skuId, Optional<Long> saleNo) {
    return SkuTable.onLocked(
        session,
        skuId,
        new ArchiveResult.Unknown(),
        sku -> on(session).compose(now -> now.ask(sku, saleNo.orElse(sku.saleNo()))));
  }

  private Future<ArchiveResult> ask(Sku sku, long saleNo) {
    if (!sku.state().isEnded() && saleNo >= sku.saleNo()) {
      return Future.succeededFuture(new ArchiveResult.NotEnded(sku));
    }
    return job(sku.skuId())
        .compose(
            job -> {
              if (job.isPresent() && job.get().saleNo() >= saleNo) {
                return Future.succeededFuture(
                    job.get().isDone()
                        ? new ArchiveResult.Done(sku)
                        : new ArchiveResult.Working(sku));
              }
              return askFor(sku.skuId(), saleNo).map(asked -> new ArchiveResult.Working(sku));
            });
  }

  // ---- the next step

  static Future<Boolean> next(SqlSession session, int ordersMax) {
    return on(session)
        .compose(
            now ->
                now.nextSku()
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
                job(skuId)
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
                    : holdsOf(sku, job, locked.get(0), ordersMax));
  }

  private Future<Void> holdsOf(Sku sku, Job job, LockedBucket bucket, int ordersMax) {
    return holds(bucket.id(), job.epoch(), job.seq(), ordersMax)
        .map(holds -> ArchivePage.of(holds, job.epoch(), job.seq(), ordersMax, job.saleNo()))
        .compose(
            page ->
                (page.ended() == 0
                        ? Future.succeededFuture(0L)
                        : move(bucket.id(), page, bucket.notes() > 0))
                    .compose(
                        moved ->
                            page.complete()
                                ? rejects(sku, behind(job, page), bucket, moved, ordersMax)
                                : counted(bucket, moved)
                                    .compose(done -> keep(sku.skuId(), behind(job, page)))));
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
            : lastReject(bucket.id(), job.saleNo(), ordersMax)
                .compose(
                    last ->
                        last.isEmpty()
                            ? Future.succeededFuture(0L)
                            : moveRejects(bucket.id(), last.get(), job.saleNo()));
    return rejects.compose(
        rows ->
            counted(bucket, moved + rows)
                .compose(
                    done ->
                        rows == 0
                            ? bucketDone(sku, job, bucket, ordersMax)
                            : keep(sku.skuId(), job)));
  }

  private Future<Void> counted(LockedBucket bucket, long rows) {
    return rows == 0 ? Future.succeededFuture() : count(session, bucket.id(), rows);
  }

  /**
   * With the last bucket the rows of moves of all are folded, which are of no sale. They are
   * counted in the one that is locked: an audit that has begun to sum begins again. While the SKU
   * sells, its units move on, so there would be no end: the rows wait for the archive of that sale.
   */
  private Future<Void> bucketDone(Sku sku, Job job, LockedBucket bucket, int rowsMax) {
    int next = job.bucket() + 1;
    if (next < sku.buckets()) {
      return keep(sku.skuId(), new Job(job.saleNo(), next, 0, 0, job.leftBehind(), nowMs));
    }
    Future<Integer> folded =
        sku.state().isEnded()
            ? RestockTable.foldMoves(session, sku.skuId(), rowsMax)
            : Future.succeededFuture(0);
    return folded.compose(
        rows ->
            rows == 0
                ? allDone(sku, job)
                : counted(bucket, rows).compose(done -> keep(sku.skuId(), job)));
  }

  private Future<Void> allDone(Sku sku, Job job) {
    if (job.leftBehind() > 0) {
      return keep(sku.skuId(), new Job(job.saleNo(), 0, 0, 0, 0, nowMs + AGAIN_AFTER.toMillis()));
    }
    return keep(sku.skuId(), new Job(job.saleNo(), 0, 0, 0, 0, null))
        .compose(done -> SaleTable.noteLeftArchived(session, sku.skuId(), job.saleNo()))
        .compose(
            done ->
                sku.state() == SkuState.ENDED && job.saleNo() >= sku.saleNo()
                    ? SkuTable.update(session, SkuRules.archived(sku))
                    : Future.succeededFuture());
  }

  // ---- statements

  /**
   * How far the orders of a SKU are moved.
   *
   * @param saleNo the last sale whose orders are moved
   * @param bucket whose orders are moved now, behind {@code epoch} and {@code seq}
   * @param leftBehind how many were passed because they had not ended
   * @param dueAtMs when to go on; null once all are moved
   */
  private record Job(
      long saleNo, int bucket, long epoch, long seq, long leftBehind, @Nullable Long dueAtMs) {
    boolean isDone() {
      return dueAtMs == null;
    }
  }

  /** The SKU whose orders are moved next. */
  private Future<Optional<Long>> nextSku() {
    return session.first(SqlStatement.FIND_ARCHIVE_JOB, Tuple.of(nowMs), row -> row.getLong(0));
  }

  private Future<Optional<Job>> job(long skuId) {
    return session.first(SqlStatement.READ_ARCHIVE_JOB, Tuple.of(skuId), Columns.to(Job.class));
  }

  private Future<Void> askFor(long skuId, long saleNo) {
    return session.update(SqlStatement.ASK_ARCHIVE, Tuple.of(skuId, saleNo, nowMs)).mapEmpty();
  }

  private Future<Void> keep(long skuId, Job job) {
    return session.updateOne(
        SqlStatement.KEEP_ARCHIVE_JOB,
        Columns.of(job.bucket(), job.epoch(), job.seq(), job.leftBehind(), job.dueAtMs(), skuId));
  }

  // ---- booked orders

  private Future<List<ArchivePage.Hold>> holds(BucketId id, long epoch, long seq, int limit) {
    return session.select(
        SqlStatement.LIST_ARCHIVE_HOLDS,
        Tuple.of(id.skuId(), id.bucket(), epoch, epoch, seq, limit),
        Columns.to(ArchivePage.Hold.class));
  }

  /** The rows of an action that are moved. */
  private record Sum(String action, long entries, long units) {
    boolean isOfUnits() {
      return !action.equals(OrderMove.Kind.LATE.name());
    }
  }

  /**
   * Moves the ended orders of a page, with all that happened to them.
   *
   * @param withNotes whether orders of the bucket have notes
   * @return how many rows were moved
   */
  private Future<Long> move(BucketId id, ArchivePage page, boolean withNotes) {
    Tuple range = Tuple.of(id.skuId(), id.bucket(), page.epoch(), page.afterSeq(), page.lastSeq());
    return sums(id, page)
        .compose(
            sums ->
                addSums(id, sums)
                    .compose(done -> session.update(SqlStatement.ARCHIVE_HOLDS, range))
                    .compose(done -> session.update(SqlStatement.ARCHIVE_MOVES, range))
                    .compose(done -> withNotes ? notes(range) : Future.succeededFuture(0))
                    .compose(
                        notes ->
                            session
                                .update(SqlStatement.DELETE_ARCHIVED_HOLDS, range)
                                .compose(
                                    done ->
                                        session.update(SqlStatement.DELETE_ARCHIVED_MOVES, range))
                                .map(done -> notes + sums.stream().mapToLong(Sum::entries).sum())));
  }

  private Future<List<Sum>> sums(BucketId id, ArchivePage page) {
    List<Object> ranges = new ArrayList<>();
    for (int table = 0; table < 2; table++) {
      ranges.addAll(List.of(id.skuId(), id.bucket(), page.epoch()));
      ranges.addAll(List.of(page.afterSeq(), page.lastSeq()));
    }
    return session.select(SqlStatement.SUM_ARCHIVE_PAGE, Tuple.wrap(ranges), Columns.to(Sum.class));
  }

  private Future<Void> addSums(BucketId id, List<Sum> sums) {
    return session.insert(
        SqlStatement.ADD_ARCHIVE_SUMS,
        sums.stream()
            .filter(Sum::isOfUnits)
            .map(sum -> Tuple.of(id.skuId(), id.bucket(), sum.action(), sum.units(), sum.entries()))
            .toList());
  }

  private Future<Integer> notes(Tuple range) {
    return session
        .update(SqlStatement.ARCHIVE_NOTES, range)
        .compose(moved -> session.update(SqlStatement.DELETE_ARCHIVED_NOTES, range));
  }

  // ---- rejected orders

  /** The last of the next rejected orders; empty if there are none. */
  private Future<Optional<Buffer>> lastReject(BucketId id, long saleNo, int limit) {
    return session.only(
        SqlStatement.FIND_ARCHIVE_REJECT,
        Tuple.of(id.skuId(), id.bucket(), saleNo, limit),
        row -> Optional.ofNullable(row.getBuffer(0)));
  }

  /**
   * Moves the rejected orders up to this one, with all that was recorded of them.
   *
   * @return how many rows were moved
   */
  private Future<Long> moveRejects(BucketId id, Buffer last, long saleNo) {
    Tuple range = Tuple.of(id.skuId(), id.bucket(), last, saleNo);
    return session
        .update(SqlStatement.ARCHIVE_REJECT_NOTES, range)
        .compose(copied -> session.update(SqlStatement.DELETE_ARCHIVED_REJECT_NOTES, range))
        .compose(
            notes ->
                session
                    .update(SqlStatement.ARCHIVE_REJECTS, range)
                    .compose(done -> session.update(SqlStatement.DELETE_ARCHIVED_REJECTS, range))
                    .map(rejects -> (long) notes + rejects));
  }

  /** Counts rows that were moved. */
  static Future<Void> count(SqlSession session, BucketId id, long rows) {
    return session.updateOne(SqlStatement.COUNT_ARCHIVED, Tuple.of(rows, id.skuId(), id.bucket()));
  }
}
