package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.db.SqlSession;
import io.sluice.db.SqlSession.Items;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.rules.OutboxList;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.ledger.rules.OutboxPayload.OutboxDraft;
import io.sluice.ledger.rules.PendingReleases;
import io.sluice.model.Placement.PlacedBucket;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The outbox: rows that committed transactions leave to be delivered. */
final class OutboxTable {
  private static final String PENDING = "PENDING";

  /** Rows of up to {@link OutboxList#ENTRIES_MAX} short entries. */
  private static final int RELEASES_PAGE = 50;

  /** Of events that are noted together; some 3,000 fit. */
  private static final int NOTED_ROWS_MAX = 256;

  private static final int NOTED_BYTES_MAX = 1 << 20;

  private OutboxTable() {}

  /** Ids rise in the order of {@code drafts}. */
  static Future<Void> insert(SqlSession session, List<OutboxDraft> drafts, long nowMs) {
    List<Tuple> rows =
        drafts.stream()
            .filter(OutboxDraft::isDelivered)
            .map(
                draft ->
                    Tuple.of(
                        draft.partition(),
                        draft.kind().name(),
                        draft.eventType(),
                        draft.payload(),
                        nowMs))
            .toList();
    return session.insert(SqlStatement.INSERT_OUTBOX, rows);
  }

  /** A row, and how long ago it was written. */
  record Waiting(OutboxRow row, long ageMs) {}

  /** The first page of a partition, and its size. */
  record Asked(int partition, int limit) {}

  /**
   * The first pages of these partitions, in their order. If they have so many rows that some may be
   * missing, those that lack rows are read alone.
   */
  static Future<List<List<Waiting>>> waiting(
      SqlSession session, OutboxKind kind, List<Asked> asked) {
    int limit = asked.stream().mapToInt(Asked::limit).sum();
    return session
        .selectEach(
            SqlStatement.LIST_PENDING_OF_ALL,
            new Items(
                Tuple.tuple(),
                asked.stream().<Tuple>map(one -> Tuple.of(one.partition())).toList(),
                Tuple.of(kind.name(), limit)),
            Columns.to(Waiting.class))
        .compose(
            rows -> {
              List<List<Waiting>> pages = new ArrayList<>();
              return AsyncLoop.forEach(
                      asked, one -> page(session, kind, one, rows, limit).onSuccess(pages::add))
                  .map(pages);
            });
  }

  private static Future<List<Waiting>> page(
      SqlSession session, OutboxKind kind, Asked asked, List<Waiting> rows, int limit) {
    List<Waiting> its = of(asked, rows);
    return rows.size() < limit || its.size() == asked.limit()
        ? Future.succeededFuture(its)
        : waiting(session, asked.partition(), kind, 0, asked.limit());
  }

  private static List<Waiting> of(Asked asked, List<Waiting> rows) {
    return rows.stream()
        .filter(waiting -> waiting.row().partition() == asked.partition())
        .limit(asked.limit())
        .toList();
  }

  /** The next rows of a kind that are not sent, in order of their ids. */
  static Future<List<OutboxRow>> pending(
      SqlSession session, int partition, OutboxKind kind, long afterId, int limit) {
    return waiting(session, partition, kind, afterId, limit)
        .map(rows -> rows.stream().map(Waiting::row).toList());
  }

  /** The same with their ages. */
  static Future<List<Waiting>> waiting(
      SqlSession session, int partition, OutboxKind kind, long afterId, int limit) {
    return session.select(
        SqlStatement.LIST_PENDING,
        Tuple.of(partition, kind.name(), afterId, limit),
        Columns.to(Waiting.class));
  }

  /** How many rows of a kind are not sent, up to {@code max}. */
  static Future<Integer> count(SqlSession session, int partition, OutboxKind kind, int max) {
    return session.only(
        SqlStatement.COUNT_PENDING,
        Tuple.of(partition, kind.name(), max),
        row -> row.getInteger(0));
  }

  /** Whether a restock of the bucket is not sent. */
  static Future<Boolean> isRestocking(SqlSession session, PlacedBucket bucket) {
    String begin = OutboxPayload.beginOf(bucket.id());
    return session
        .select(
            SqlStatement.FIND_PENDING_RESTOCK,
            Tuple.of(bucket.partition(), begin.length() + 1, begin + ",", begin + "}"),
            row -> row.getLong(0))
        .map(found -> !found.isEmpty());
  }

  /** The releases of a partition that are not sent; not all if they are too many to list. */
  static Future<PendingReleases> releases(SqlSession session, int partition) {
    PendingReleases all = new PendingReleases();
    return AsyncLoop.whileTrue(
            () ->
                pending(session, partition, OutboxKind.RELEASE, all.lastId(), RELEASES_PAGE)
                    .map(page -> all.add(page) && page.size() == RELEASES_PAGE))
        .map(all);
  }

  /** Marks rows as sent. */
  static Future<Void> sent(SqlSession session, List<OutboxRow> rows) {
    List<Tuple> places =
        rows.stream().map(row -> Tuple.of(row.id(), row.partition(), row.createdAtMs())).toList();
    return session.updateEach(SqlStatement.MARK_SENT, Items.of(places)).mapEmpty();
  }

  /**
   * Notes what the oldest events tell that were sent, then deletes their rows: a row that is there
   * is not noted yet, or is noted again. True if more may be left.
   */
  static Future<Boolean> noteSent(SqlSession session, int partition) {
    return session
        .select(
            SqlStatement.LIST_SENT_EVENTS,
            Tuple.of(partition, NOTED_ROWS_MAX, NOTED_BYTES_MAX),
            Columns.to(OutboxRow.class))
        .compose(
            rows ->
                LookupTable.note(session, rows)
                    .compose(
                        noted ->
                            session.updateEach(
                                SqlStatement.DELETE_OUTBOX,
                                Items.ofEach(rows.stream().map(OutboxRow::id).toList())))
                    .map(
                        deleted ->
                            rows.size() == NOTED_ROWS_MAX
                                || rows.stream().mapToInt(row -> row.payload().length()).sum()
                                    >= NOTED_BYTES_MAX / 2));
  }

  /**
   * Replaces those of these rows that are PENDING by rows with the rest of their entries, which get
   * higher ids. Must run in a transaction that has locked the fence: rows are locked in the order
   * of their ids, as by {@link #sent}.
   *
   * @param rest the entries that are left, by their row
   */
  static Future<Void> keepRest(
      SqlSession session, int partition, Map<OutboxRow, List<String>> rest, long nowMs) {
    List<OutboxRow> replaced = new ArrayList<>();
    List<String> left = new ArrayList<>();
    return AsyncLoop.forEach(
            rest.keySet().stream().sorted(Comparator.comparingLong(OutboxRow::id)).toList(),
            row ->
                lockPending(session, row)
                    .onSuccess(
                        pending -> {
                          if (pending) {
                            replaced.add(row);
                            left.addAll(rest.getOrDefault(row, List.of()));
                          }
                        })
                    .mapEmpty())
        .compose(
            locked ->
                insert(
                    session, OutboxList.combined(OutboxPayload.releases(partition, left)), nowMs))
        .compose(inserted -> sent(session, replaced));
  }

  /** Whether the row is PENDING; locks it until the transaction ends. */
  static Future<Boolean> lockPending(SqlSession session, OutboxRow row) {
    return session
        .select(
            SqlStatement.LOCK_OUTBOX_ROW,
            Tuple.of(row.id(), row.partition(), row.createdAtMs()),
            found -> found.getString(0))
        .map(status -> status.contains(PENDING));
  }

  /**
   * Deletes SENT rows, other than events, that were written before {@code beforeMs}, at most {@code
   * limit}.
   */
  static Future<Integer> purge(SqlSession session, int partition, long beforeMs, int limit) {
    AtomicInteger purged = new AtomicInteger();
    return AsyncLoop.forEach(
            EnumSet.complementOf(EnumSet.of(OutboxKind.EVENT)),
            kind ->
                purge(session, partition, kind, beforeMs, limit - purged.get())
                    .onSuccess(purged::addAndGet))
        .map(done -> purged.get());
  }

  private static Future<Integer> purge(
      SqlSession session, int partition, OutboxKind kind, long beforeMs, int limit) {
    return session
        .select(
            SqlStatement.LIST_PURGEABLE,
            Tuple.of(partition, kind.name(), limit, beforeMs),
            row -> row.getLong(0))
        .compose(ids -> session.updateEach(SqlStatement.DELETE_OUTBOX, Items.ofEach(ids)));
  }
}
