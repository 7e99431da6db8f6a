package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.ledger.ArchiveRequests.Forgotten;
import io.sluice.ledger.mysql.table.BucketTable;
import io.sluice.ledger.mysql.table.ForgetTable;
import io.sluice.ledger.mysql.table.ForgetTable.Found;
import io.sluice.ledger.mysql.table.ForgetTable.Job;
import io.sluice.ledger.mysql.table.ForgetTable.Phase;
import io.sluice.ledger.mysql.table.ForgetTable.Place;
import io.sluice.ledger.mysql.table.OrderTable;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The transactions that replace the id of a buyer. The rows of orders are found without a lock, in
 * slices of all of them, because they have no key by buyer; those that are changed, only while
 * their buckets are locked. An order that is moved to the archive meanwhile is found there, since
 * the archive is looked through last.
 */
final class ForgetTransaction {
  /** For how long the result, and the id with it, is kept for one who does not ask for it. */
  static final Duration RESULT_KEPT = Duration.ofMinutes(10);

  private static final int PURGE_MAX = 100;

  private final SqlSession session;
  private final long nowMs;
  private final int rowsMax;

  private ForgetTransaction(SqlSession session, long nowMs, int rowsMax) {
    this.session = session;
    this.nowMs = nowMs;
    this.rowsMax = rowsMax;
  }

  static Future<Forgotten> ask(SqlSession session, String userId, String pseudonym) {
    return ForgetTable.ask(session, userId, pseudonym)
        .compose(asked -> ForgetTable.read(session, userId))
        .compose(
            now ->
                now.done()
                    ? ForgetTable.end(session, userId).map(now)
                    : Future.succeededFuture(now));
  }

  static Future<Boolean> next(SqlSession session, int rowsMax) {
    return OrderTable.nowMs(session)
        .compose(nowMs -> new ForgetTransaction(session, nowMs, rowsMax).next());
  }

  private Future<Boolean> next() {
    return ForgetTable.lock(session)
        .compose(
            job ->
                job.isPresent()
                    ? step(job.get()).map(true)
                    : ForgetTable.purge(session, nowMs - RESULT_KEPT.toMillis(), PURGE_MAX)
                        .map(purged -> purged == PURGE_MAX));
  }

  private Future<Void> step(Job job) {
    return job.phase() == Phase.HOLDS || job.phase() == Phase.REJECTS ? slice(job) : archived(job);
  }

  private Future<Void> slice(Job job) {
    return ForgetTable.found(session, job, rowsMax)
        .compose(
            found ->
                replaced(job, found.stream().filter(Found::theirs).toList())
                    .compose(
                        now ->
                            keep(
                                now,
                                found.stream()
                                    .filter(order -> order.number() == rowsMax)
                                    .findFirst()
                                    .map(Found::place))));
  }

  private Future<Job> replaced(Job job, List<Found> theirs) {
    List<Found> ended = theirs.stream().filter(Found::ended).toList();
    int left = theirs.size() - ended.size();
    if (ended.isEmpty()) {
      return Future.succeededFuture(counted(job, 0, left));
    }
    return BucketTable.lock(session, new TreeSet<>(ended.stream().map(Found::bucket).toList()))
        .compose(locked -> ForgetTable.replace(session, job, ended))
        .map(rows -> counted(job, job.phase() == Phase.HOLDS ? rows : ended.size(), left));
  }

  private static Job counted(Job job, int replaced, int left) {
    return new Job(
        job.userId(),
        job.pseudonym(),
        job.phase(),
        job.after(),
        job.replaced() + replaced,
        job.left() + left);
  }

  private Future<Void> archived(Job job) {
    return ForgetTable.replaceArchived(session, job, rowsMax)
        .compose(
            rows ->
                keep(
                    counted(job, rows, 0),
                    rows == rowsMax ? Optional.of(Place.FIRST) : Optional.empty()));
  }

  /**
   * @param after where this phase goes on; empty where the next one begins
   */
  private Future<Void> keep(Job job, Optional<Place> after) {
    boolean isLast = job.phase() == Phase.ARCHIVED_REJECTS;
    Phase phase =
        after.isPresent() || isLast ? job.phase() : Phase.values()[job.phase().ordinal() + 1];
    Job now =
        new Job(
            job.userId(),
            job.pseudonym(),
            phase,
            after.orElse(Place.FIRST),
            job.replaced(),
            job.left());
    return ForgetTable.keep(session, now, after.isEmpty() && isLast ? nowMs : 0);
  }
}
