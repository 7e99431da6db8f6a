package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.rules.ArchivePage;
import io.sluice.ledger.rules.OrderMove;
import io.sluice.model.BucketId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Moves rows to the archive, and keeps how far that is. The SKU, and the bucket whose rows are
 * moved, must be locked.
 */
public final class ArchiveTable {
  private ArchiveTable() {}

  /**
   * How far the orders of a SKU are moved.
   *
   * @param saleNo the last sale whose orders are moved
   * @param bucket whose orders are moved now, behind {@code epoch} and {@code seq}
   * @param leftBehind how many were passed because they had not ended
   * @param dueAtMs when to go on; null once all are moved
   */
  public record Job(
      long saleNo, int bucket, long epoch, long seq, long leftBehind, @Nullable Long dueAtMs) {
    public boolean isDone() {
      return dueAtMs == null;
    }
  }

  /** The SKU whose orders are moved next. */
  public static Future<Optional<Long>> next(SqlSession session, long nowMs) {
    return session
        .select(SqlStatement.FIND_ARCHIVE_JOB, Tuple.of(nowMs), row -> row.getLong(0))
        .map(skus -> skus.stream().findFirst());
  }

  public static Future<Optional<Job>> job(SqlSession session, long skuId) {
    return session
        .select(
            SqlStatement.READ_ARCHIVE_JOB,
            Tuple.of(skuId),
            row ->
                new Job(
                    row.getLong(0),
                    row.getInteger(1),
                    row.getLong(2),
                    row.getLong(3),
                    row.getLong(4),
                    row.getLong(5)))
        .map(jobs -> jobs.stream().findFirst());
  }

  public static Future<Void> ask(SqlSession session, long skuId, long saleNo, long nowMs) {
    return session.update(SqlStatement.ASK_ARCHIVE, Tuple.of(skuId, saleNo, nowMs)).mapEmpty();
  }

  public static Future<Void> keep(SqlSession session, long skuId, Job job) {
    return session.updateOne(
        SqlStatement.KEEP_ARCHIVE_JOB,
        Tuple.wrap(
            Arrays.asList(
                job.bucket(), job.epoch(), job.seq(), job.leftBehind(), job.dueAtMs(), skuId)));
  }

  // ---- booked orders

  public static Future<List<ArchivePage.Hold>> holds(
      SqlSession session, BucketId id, long epoch, long seq, int limit) {
    return session.select(
        SqlStatement.LIST_ARCHIVE_HOLDS,
        Tuple.of(id.skuId(), id.bucket(), epoch, epoch, seq, limit),
        row ->
            new ArchivePage.Hold(
                row.getLong(0), row.getLong(1), row.getLong(2), row.getInteger(3) != 0));
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
  public static Future<Long> move(
      SqlSession session, BucketId id, ArchivePage page, boolean withNotes) {
    Tuple range = Tuple.of(id.skuId(), id.bucket(), page.epoch(), page.afterSeq(), page.lastSeq());
    return sums(session, id, page)
        .compose(
            sums ->
                addSums(session, id, sums)
                    .compose(done -> session.update(SqlStatement.ARCHIVE_HOLDS, range))
                    .compose(done -> session.update(SqlStatement.ARCHIVE_MOVES, range))
                    .compose(done -> withNotes ? notes(session, range) : none())
                    .compose(
                        notes ->
                            session
                                .update(SqlStatement.DELETE_ARCHIVED_HOLDS, range)
                                .compose(
                                    done ->
                                        session.update(SqlStatement.DELETE_ARCHIVED_MOVES, range))
                                .map(done -> notes + sums.stream().mapToLong(Sum::entries).sum())));
  }

  private static Future<List<Sum>> sums(SqlSession session, BucketId id, ArchivePage page) {
    List<Object> ranges = new ArrayList<>();
    for (int table = 0; table < 2; table++) {
      ranges.addAll(List.of(id.skuId(), id.bucket(), page.epoch()));
      ranges.addAll(List.of(page.afterSeq(), page.lastSeq()));
    }
    return session.select(
        SqlStatement.SUM_ARCHIVE_PAGE,
        Tuple.wrap(ranges),
        row -> new Sum(row.getString(0), row.getLong(1), row.getLong(2)));
  }

  private static Future<Void> addSums(SqlSession session, BucketId id, List<Sum> sums) {
    return session.insert(
        SqlStatement.ADD_ARCHIVE_SUMS,
        sums.stream()
            .filter(Sum::isOfUnits)
            .map(sum -> Tuple.of(id.skuId(), id.bucket(), sum.action(), sum.units(), sum.entries()))
            .toList());
  }

  private static Future<Integer> notes(SqlSession session, Tuple range) {
    return session
        .update(SqlStatement.ARCHIVE_NOTES, range)
        .compose(moved -> session.update(SqlStatement.DELETE_ARCHIVED_NOTES, range));
  }

  private static Future<Integer> none() {
    return Future.succeededFuture(0);
  }

  // ---- rejected orders

  /** The last of the next rejected orders; empty if there are none. */
  public static Future<Optional<Buffer>> lastReject(
      SqlSession session, BucketId id, long saleNo, int limit) {
    return session
        .select(
            SqlStatement.FIND_ARCHIVE_REJECT,
            Tuple.of(id.skuId(), id.bucket(), saleNo, limit),
            row -> Optional.ofNullable(row.getBuffer(0)))
        .map(found -> found.get(0));
  }

  /**
   * Moves the rejected orders up to this one, with all that was recorded of them.
   *
   * @return how many rows were moved
   */
  public static Future<Long> moveRejects(
      SqlSession session, BucketId id, Buffer last, long saleNo) {
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
  public static Future<Void> count(SqlSession session, BucketId id, long rows) {
    return session.updateOne(SqlStatement.COUNT_ARCHIVED, Tuple.of(rows, id.skuId(), id.bucket()));
  }
}
