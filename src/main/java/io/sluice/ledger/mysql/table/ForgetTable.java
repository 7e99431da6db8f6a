package io.sluice.ledger.mysql.table;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlSession.Items;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.ArchiveRequests.Forgotten;
import io.sluice.model.BucketId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Replaces the ids of buyers, and keeps how far that is. */
public final class ForgetTable {
  private ForgetTable() {}

  /** What is looked through, one after the other: orders move to the archive, never back. */
  public enum Phase {
    HOLDS,
    REJECTS,
    ARCHIVED_HOLDS,
    ARCHIVED_REJECTS
  }

  /**
   * The row that was looked at last.
   *
   * @param token of a rejected order; epoch and seq are those of a hold
   */
  public record Place(long skuId, int bucket, long epoch, long seq, Buffer token) {
    public static final Place FIRST = new Place(0, 0, 0, 0, Buffer.buffer());
  }

  /** A buyer who is being forgotten. */
  public record Job(
      String userId, String pseudonym, Phase phase, Place after, long replaced, long left) {}

  public static Future<Void> ask(SqlSession session, String userId, String pseudonym) {
    return session.update(SqlStatement.ASK_FORGET, Tuple.of(userId, pseudonym)).mapEmpty();
  }

  public static Future<Forgotten> read(SqlSession session, String userId) {
    return session
        .select(
            SqlStatement.READ_FORGET_JOB,
            Tuple.of(userId),
            row ->
                new Forgotten(row.getString(0), row.getLong(1), row.getLong(2), row.getLong(3) > 0))
        .map(jobs -> jobs.get(0));
  }

  public static Future<Void> end(SqlSession session, String userId) {
    return session.update(SqlStatement.END_FORGET_JOB, Tuple.of(userId)).mapEmpty();
  }

  public static Future<Integer> purge(SqlSession session, long beforeMs, int limit) {
    return session.update(SqlStatement.PURGE_FORGET_JOBS, Tuple.of(beforeMs, limit));
  }

  /** The next buyer to be forgotten, locked. */
  public static Future<Optional<Job>> lock(SqlSession session) {
    return session
        .select(SqlStatement.LOCK_FORGET_JOB, Tuple.tuple(), ForgetTable::job)
        .map(jobs -> jobs.stream().findFirst());
  }

  private static Job job(Row row) {
    return new Job(
        row.getString(0),
        row.getString(1),
        Phase.values()[row.getInteger(2)],
        new Place(
            row.getLong(3), row.getInteger(4), row.getLong(5), row.getLong(6), row.getBuffer(7)),
        row.getLong(8),
        row.getLong(9));
  }

  /**
   * @param doneAtMs 0 before the end
   */
  public static Future<Void> keep(SqlSession session, Job job, long doneAtMs) {
    Place after = job.after();
    return session.updateOne(
        SqlStatement.KEEP_FORGET_JOB,
        Tuple.of(
            job.phase().ordinal(),
            after.skuId(),
            after.bucket(),
            after.epoch(),
            after.seq(),
            after.token(),
            job.replaced(),
            job.left(),
            doneAtMs,
            job.userId()));
  }

  // ---- slices

  /**
   * An order in a slice.
   *
   * @param place of its row
   * @param ended whether the order and its sale have ended
   * @param theirs whether it is the buyer's
   * @param number in the slice, from 1 on
   */
  public record Found(Place place, boolean ended, boolean theirs, int number) {
    public BucketId bucket() {
      return new BucketId(place.skuId(), place.bucket());
    }
  }

  /** The orders of the buyer in the next slice, and the last order of a full slice. */
  public static Future<List<Found>> found(SqlSession session, Job job, int rows) {
    boolean booked = job.phase() == Phase.HOLDS;
    Place after = job.after();
    List<Object> parameters = new ArrayList<>();
    parameters.add(job.userId());
    parameters.addAll(List.of(after.skuId(), after.skuId(), after.bucket(), after.bucket()));
    parameters.addAll(
        booked ? List.of(after.epoch(), after.epoch(), after.seq()) : List.of(after.token()));
    parameters.addAll(List.of(rows, job.userId(), rows));
    return session.select(
        booked ? SqlStatement.LIST_FORGET_HOLDS : SqlStatement.LIST_FORGET_REJECTS,
        Tuple.wrap(parameters),
        booked ? ForgetTable::hold : ForgetTable::reject);
  }

  private static Found hold(Row row) {
    return new Found(
        new Place(
            row.getLong(0), row.getInteger(1), row.getLong(2), row.getLong(3), Buffer.buffer()),
        row.getInteger(4) != 0,
        row.getInteger(5) != 0,
        row.getInteger(6));
  }

  private static Found reject(Row row) {
    return new Found(
        new Place(row.getLong(0), row.getInteger(1), 0, 0, row.getBuffer(2)),
        row.getInteger(3) != 0,
        row.getInteger(4) != 0,
        row.getInteger(5));
  }

  private static Tuple key(Phase phase, Place place) {
    return phase == Phase.HOLDS
        ? Tuple.of(place.skuId(), place.bucket(), place.epoch(), place.seq())
        : Tuple.of(place.skuId(), place.bucket(), place.token());
  }

  /** Gives these orders the pseudonym; their buckets are locked. */
  public static Future<Integer> replace(SqlSession session, Job job, List<Found> orders) {
    return session.updateEach(
        job.phase() == Phase.HOLDS ? SqlStatement.FORGET_HOLDS : SqlStatement.FORGET_REJECTS,
        new Items(
            Tuple.of(job.pseudonym()),
            orders.stream().map(order -> key(job.phase(), order.place())).toList(),
            Tuple.tuple()));
  }

  /** Gives archived orders of the buyer the pseudonym, this many at most. */
  public static Future<Integer> replaceArchived(SqlSession session, Job job, int rows) {
    return session.update(
        job.phase() == Phase.ARCHIVED_HOLDS
            ? SqlStatement.FORGET_ARCHIVED_HOLDS
            : SqlStatement.FORGET_ARCHIVED_REJECTS,
        Tuple.of(job.pseudonym(), job.userId(), rows));
  }
}
