package io.sluice.ledger.mysql;

import io.sluice.db.Database;
import io.sluice.db.SqlSession;
import io.sluice.db.SqlSession.Items;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Blacklist;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The blacklist in MySQL or MariaDB: one row per buyer. */
public final class MySqlBlacklist implements Blacklist {
  private static final Terms NONE = new Terms(Duration.ZERO, Duration.ZERO);
  private static final int PURGED_MAX = 1_000;

  private final LedgerDatabase database;

  public MySqlBlacklist(Database database) {
    this.database = new LedgerDatabase(database);
  }

  @Override
  public Future<Page> ban(List<Overrun> overruns, Terms terms, String reason, String by) {
    return database.inTransaction(
        session ->
            nowMs(session)
                .compose(
                    nowMs -> {
                      // In the order of the key, so that two instances do not lock crosswise.
                      List<Tuple> rows =
                          overruns.stream()
                              .filter(overrun -> overrun.ago().compareTo(terms.ban()) < 0)
                              .sorted(Comparator.comparing(Overrun::userId))
                              .map(
                                  overrun ->
                                      row(
                                          overrun.userId(),
                                          nowMs - overrun.ago().toMillis(),
                                          nowMs,
                                          terms,
                                          reason,
                                          by))
                              .toList();
                      return session
                          .insert(SqlStatement.BAN_OVERRUNNERS, rows)
                          .compose(
                              banned ->
                                  read(
                                      session, rows.stream().map(row -> row.getString(0)).toList()))
                          .map(bans -> new Page(bans, nowMs));
                    }));
  }

  @Override
  public Future<Page> put(String userId, Terms terms, String reason, String by) {
    return write(userId, terms, reason, by);
  }

  @Override
  public Future<Page> lift(String userId, String by) {
    return write(userId, NONE, "", by);
  }

  private Future<Page> write(String userId, Terms terms, String reason, String by) {
    return database.inTransaction(
        session ->
            nowMs(session)
                .compose(
                    nowMs ->
                        session
                            .insert(
                                SqlStatement.PUT_BAN,
                                List.of(row(userId, nowMs, nowMs, terms, reason, by)))
                            .compose(written -> read(session, List.of(userId)))
                            .map(bans -> new Page(bans, nowMs))));
  }

  /** A row; its version is a time, so that it is higher than that of a row that was deleted. */
  private static Tuple row(
      String userId, long fromMs, long nowMs, Terms terms, String reason, String by) {
    long untilMs = terms.ban().isZero() ? 0 : fromMs + terms.ban().toMillis();
    long watchedMs = terms.ban().isZero() ? 0 : untilMs + terms.watch().toMillis();
    long forgetMs = Math.max(watchedMs, nowMs) + LIFTED_KEPT_FOR.toMillis();
    return Tuple.of(userId, fromMs, untilMs, watchedMs, reason, by, nowMs, forgetMs);
  }

  @Override
  public Future<Page> find(String userId) {
    return database.read(
        session ->
            nowMs(session)
                .compose(
                    nowMs -> read(session, List.of(userId)).map(bans -> new Page(bans, nowMs))));
  }

  @Override
  public Future<Page> changes(long sinceVersion, @Nullable Ban after) {
    long from = after == null ? sinceVersion : after.version();
    String afterUser = after == null ? "" : after.userId();
    return database.read(
        session ->
            nowMs(session)
                .compose(
                    nowMs ->
                        session
                            .select(
                                SqlStatement.LIST_BANS,
                                Tuple.of(from, afterUser, from, PAGE_MAX),
                                MySqlBlacklist::ban)
                            .map(bans -> new Page(bans, nowMs))));
  }

  @Override
  public Future<Integer> purge() {
    return database.read(session -> session.update(SqlStatement.DELETE_BANS, Tuple.of(PURGED_MAX)));
  }

  private static Future<Long> nowMs(SqlSession session) {
    return session
        .select(SqlStatement.READ_CLOCK, Tuple.tuple(), row -> row.getLong(0))
        .map(rows -> rows.get(0));
  }

  private static Future<List<Ban>> read(SqlSession session, List<String> userIds) {
    return session.selectEach(
        SqlStatement.READ_BANS,
        Items.of(userIds.stream().map(Tuple::of).toList()),
        MySqlBlacklist::ban);
  }

  private static Ban ban(Row row) {
    return new Ban(
        row.getString(0),
        row.getLong(1),
        row.getLong(2),
        row.getLong(3),
        row.getString(4),
        row.getString(5),
        row.getLong(6));
  }
}
