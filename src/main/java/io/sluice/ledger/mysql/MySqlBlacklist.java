package io.sluice.ledger.mysql;

import io.sluice.db.Database;
import io.sluice.db.SqlSession;
import io.sluice.db.SqlSession.Items;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Blacklist;
import io.sluice.ledger.rules.BanRules;
import io.sluice.model.IfMatch;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The blacklist in MySQL or MariaDB: one row per buyer. */
public final class MySqlBlacklist implements Blacklist {
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
  public Future<PutResult> put(NewBan wanted) {
    return change(wanted.userId(), (was, nowMs) -> BanRules.put(was, wanted, nowMs));
  }

  @Override
  public Future<PutResult> lift(String userId, IfMatch ifMatch, String by) {
    return change(userId, (was, nowMs) -> BanRules.lift(was, userId, ifMatch, by, nowMs));
  }

  private Future<PutResult> change(
      String userId, BiFunction<Optional<Ban>, Long, PutResult> decision) {
    return database.inTransaction(
        session ->
            session
                .first(SqlStatement.LOCK_BAN, Tuple.of(userId), Columns.to(Ban.class))
                .compose(
                    was ->
                        nowMs(session)
                            .compose(nowMs -> write(session, was, decision.apply(was, nowMs)))));
  }

  private static Future<PutResult> write(SqlSession session, Optional<Ban> was, PutResult result) {
    return result instanceof PutResult.Done done && !was.equals(Optional.of(done.ban()))
        ? session
            .insert(
                was.isPresent() ? SqlStatement.PUT_BAN : SqlStatement.INSERT_BAN,
                List.of(row(done.ban(), done.nowMs())))
            .map(result)
        : Future.succeededFuture(result);
  }

  /** A row of an overrunner; its version rises if there is one. */
  private static Tuple row(
      String userId, long fromMs, long nowMs, Terms terms, String reason, String by) {
    long untilMs = fromMs + terms.ban().toMillis();
    return row(
        new Ban(userId, fromMs, untilMs, untilMs + terms.watch().toMillis(), reason, by, nowMs),
        nowMs);
  }

  private static Tuple row(Ban ban, long nowMs) {
    return Columns.of(ban, Math.max(ban.watchedUntilMs(), nowMs) + LIFTED_KEPT_FOR.toMillis());
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
                                Columns.to(Ban.class))
                            .map(bans -> new Page(bans, nowMs))));
  }

  @Override
  public Future<Integer> purge() {
    return database.read(session -> session.update(SqlStatement.DELETE_BANS, Tuple.of(PURGED_MAX)));
  }

  private static Future<Long> nowMs(SqlSession session) {
    return session.only(SqlStatement.READ_CLOCK, Tuple.tuple(), row -> row.getLong(0));
  }

  private static Future<List<Ban>> read(SqlSession session, List<String> userIds) {
    return session.selectEach(SqlStatement.READ_BANS, Items.ofEach(userIds), Columns.to(Ban.class));
  }
}
