package io.sluice.db;

import static io.sluice.db.Asked.list;
import static io.sluice.db.Asked.one;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The statements of the archive, beside as many archived orders as booked ones. */
final class AskedOfArchive {
  /** Its orders are in the archive. */
  static final long SKU_ID = 4_000;

  /** Its orders are where they were booked. */
  private static final long BOOKED = 5_000;

  private static final int LOOKED_AT = 1_000;

  private AskedOfArchive() {}

  static List<Asked> all() {
    List<Asked> all = new ArrayList<>();
    all.addAll(lookedUp());
    all.addAll(jobs());
    all.addAll(moved());
    all.addAll(forgotten());
    return all;
  }

  private static List<Asked> lookedUp() {
    List<Object> tokens = new ArrayList<>();
    for (int n = 0; n < 256; n++) {
      tokens.addAll(List.of(SKU_ID, 0, LedgerScaleIT.id(n)));
    }
    // Each row counts twice: into the union, and out of it.
    Object[] after = {
      SKU_ID, 0, 0, 1, 1, 100, LOOKED_AT, SKU_ID, 0, 0, 1, 1, 100, LOOKED_AT, LOOKED_AT
    };
    Object[] afterBooked = after.clone();
    afterBooked[0] = BOOKED;
    afterBooked[7] = BOOKED;
    Object[] order = {BOOKED, 0, LedgerScaleIT.id(0)};
    Object[] looks =
        Stream.generate(() -> Stream.of(order)).limit(12).flatMap(Function.identity()).toArray();
    return List.of(
        one(SqlStatement.READ_STORY, 80, looks),
        list(SqlStatement.READ_ARCHIVED, List.of(), tokens).items(256).most(1_288),
        list(SqlStatement.READ_ARCHIVED_REJECTS, List.of(), tokens).items(256),
        list(SqlStatement.READ_ARCHIVED_NOTES, List.of(), tokens).items(256),
        one(SqlStatement.LIST_SKU_HOLDS, 3_030, after),
        one(SqlStatement.LIST_SKU_HOLDS, 3_030, afterBooked),
        one(SqlStatement.SUM_ARCHIVE, 80, SKU_ID, SKU_ID));
  }

  /** The server reads its own statistics of a table when it is used for the first time. */
  private static List<Asked> jobs() {
    return List.of(
        one(SqlStatement.FIND_ARCHIVE_JOB, 24, 1L),
        one(SqlStatement.READ_ARCHIVE_JOB, 4, SKU_ID),
        one(SqlStatement.KEEP_ARCHIVE_JOB, 4, 0, 1L, 1L, 0L, 1L, SKU_ID),
        one(SqlStatement.READ_FORGET_JOB, 24, "alice"),
        one(SqlStatement.END_FORGET_JOB, 4, "alice"),
        one(SqlStatement.PURGE_FORGET_JOBS, 4, 1L, 100),
        one(SqlStatement.LOCK_FORGET_JOB, 4),
        one(
            SqlStatement.KEEP_FORGET_JOB,
            4,
            0,
            0L,
            0,
            0L,
            0L,
            Buffer.buffer(),
            0L,
            0L,
            0L,
            "alice"));
  }

  /** A hold is read with its first move. */
  private static List<Asked> moved() {
    Object[] page = {BOOKED, 0, 1L, 100L, 100L + LOOKED_AT};
    Object[] archived = {SKU_ID, 0, 1L, 100L, 100L + LOOKED_AT};
    Object[] rejects = {BOOKED, 0, LedgerScaleIT.id(9), 0L};
    List<Object> tokens =
        IntStream.range(0, 256).<Object>mapToObj(n -> "!move-" + n + "#0").toList();
    return List.of(
        one(SqlStatement.LIST_ARCHIVE_HOLDS, 2_030, BOOKED, 0, 1L, 1L, 100L, LOOKED_AT),
        one(SqlStatement.SUM_ARCHIVE_PAGE, 4_030, twice(page)),
        one(SqlStatement.ARCHIVE_HOLDS, 2_030, page),
        one(SqlStatement.ARCHIVE_MOVES, 1_030, page),
        one(SqlStatement.ARCHIVE_NOTES, 2_030, archived),
        one(SqlStatement.DELETE_ARCHIVED_NOTES, 2_030, archived),
        one(SqlStatement.DELETE_ARCHIVED_HOLDS, 2_030, page),
        one(SqlStatement.DELETE_ARCHIVED_MOVES, 1_030, page),
        one(SqlStatement.FIND_ARCHIVE_REJECT, 2_030, BOOKED, 0, 0L, LOOKED_AT),
        one(SqlStatement.ARCHIVE_REJECTS, 30, rejects),
        one(SqlStatement.ARCHIVE_REJECT_NOTES, 30, rejects),
        one(SqlStatement.DELETE_ARCHIVED_REJECT_NOTES, 30, rejects),
        one(SqlStatement.DELETE_ARCHIVED_REJECTS, 30, rejects),
        one(SqlStatement.COUNT_ARCHIVED, 4, 1L, BOOKED, 0),
        one(SqlStatement.LIST_MOVED_UNITS, 1_030, BOOKED, LOOKED_AT),
        list(SqlStatement.DELETE_MOVED_UNITS, List.of(BOOKED), tokens).items(256));
  }

  private static Object[] twice(Object[] range) {
    List<Object> all = new ArrayList<>(List.of(range));
    all.addAll(List.of(range));
    return all.toArray();
  }

  private static List<Asked> forgotten() {
    List<Object> places = new ArrayList<>();
    List<Object> orders = new ArrayList<>();
    List<Object> archived = new ArrayList<>();
    List<Object> archivedPlaces = new ArrayList<>();
    List<Object> returns = new ArrayList<>();
    for (int n = 0; n < 64; n++) {
      places.addAll(List.of(BOOKED, 0, 1L, n + 1L));
      orders.addAll(List.of(BOOKED, 0, LedgerScaleIT.id(n)));
      archived.addAll(List.of(SKU_ID, 0, LedgerScaleIT.id(n)));
      archivedPlaces.addAll(List.of(SKU_ID, 0, 1L, n + 1L));
      returns.addAll(List.of(SKU_ID, "!return-" + n));
    }
    List<Object> buyer = List.of("nobody", "salt");
    List<Object> rejected = List.of("nobody", "salt", "salt");
    List<Object> noted = List.of("salt", "salt");
    List<Object> moved = List.of("salt");
    List<Asked> asked = new ArrayList<>(listed());
    asked.addAll(
        List.of(
            list(SqlStatement.FORGET_RETURNS, moved, returns).items(64),
            list(SqlStatement.FORGET_HOLDS, buyer, orders).items(64),
            list(SqlStatement.FORGET_MOVES, moved, places).items(64),
            list(SqlStatement.FORGET_REJECTS, rejected, orders).items(64),
            list(SqlStatement.FORGET_NOTES, noted, orders).items(64),
            list(SqlStatement.FORGET_ARCHIVED_HOLDS, buyer, archived).items(64),
            list(SqlStatement.FORGET_ARCHIVED_MOVES, moved, archivedPlaces).items(64),
            list(SqlStatement.FORGET_ARCHIVED_REJECTS, rejected, archived).items(64),
            list(SqlStatement.FORGET_ARCHIVED_NOTES, noted, archived).items(64)));
    return asked;
  }

  private static List<Asked> listed() {
    Object[] afterHold = {"filled-150", BOOKED, BOOKED, 0, 0, 1L, 1L, 100L};
    Object[] afterReject = {"filled-150", BOOKED, BOOKED, 0, 0, LedgerScaleIT.id(9)};
    Object[] first = {"filled-153", 0L, 0L, 0, 0, 0L, 0L, 0L};
    Object[] firstReject = {"filled-153", 0L, 0L, 0, 0, LedgerScaleIT.id(0)};
    return List.of(
        // Each row counts some times: into the slice, out of it, and to be numbered.
        one(
            SqlStatement.LIST_FORGET_HOLDS,
            9_060,
            with(afterHold, LOOKED_AT, "filled-150", LOOKED_AT, 200)),
        one(
            SqlStatement.LIST_FORGET_REJECTS,
            2_060,
            with(afterReject, LOOKED_AT, "filled-150", LOOKED_AT, 200)),
        // One in each bucket.
        one(SqlStatement.LIST_FORGET_ARCHIVED_HOLDS, 60, with(first, 200)),
        one(SqlStatement.LIST_FORGET_ARCHIVED_REJECTS, 60, with(firstReject, 200)));
  }

  private static Object[] with(Object[] after, Object... more) {
    List<Object> all = new ArrayList<>(List.of(after));
    all.addAll(List.of(more));
    return all.toArray();
  }
}
