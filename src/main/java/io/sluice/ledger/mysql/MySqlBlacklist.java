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
import java.util.function.LongFunction;
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
            page(
                session,
                nowMs -> {
                  // In the order of the key, so that two instances do not lock crosswise.
                  List<Ban> bans =
                      overruns.stream()
                          .filter(overrun -> overrun.ago().compareTo(terms.ban()) < 0)
                          .sorted(Comparator.comparing(Overrun::userId))
                          .map(overrun -> banOf(overrun, nowMs, terms, reason, by))
                          .toList();
                  return session
                      .insert(
                          SqlStatement.BAN_OVERRUNNERS,
                          bans.stream().map(ban -> row(ban, nowMs)).toList())
                      .compose(banned -> read(session, bans.stream().map(Ban::userId).toList()));
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
                        OrderTable.nowMs(session)
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

  /** The ban of an overrunner; the version of its row rises if there is one. */
  private static Ban banOf(Overrun overrun, long nowMs, Terms terms, String reason, String by) {
    long fromMs = nowMs - overrun.ago().toMillis();
    long untilMs = fromMs + terms.ban().toMillis();
    long watchedUntilMs = untilMs + terms.watch().toMillis();
    return new Ban(overrun.userId(), fromMs, untilMs, watchedUntilMs, reason, by, nowMs);
  }

  private static Tuple row(Ban ban, long nowMs) {
    return Columns.of(ban, Math.max(ban.watchedUntilMs(), nowMs) + LIFTED_KEPT_FOR.toMillis());
  }

  @Override
  public Future<Page> find(String userId) {
    return database.read(session -> page(session, nowMs -> read(session, List.of(userId))));
  }

  @Override
  public Future<Page> changes(long sinceVersion, @Nullable Ban after) {
    long from = after == null ? sinceVersion : after.version();
    String afterUser = after == null ? "" : after.userId();
    return database.read(
        session ->
            page(
                session,
                nowMs ->
                    session.select(
                        SqlStatement.LIST_BANS,
                        Tuple.of(from, afterUser, from, PAGE_MAX),
                        Columns.to(Ban.class))));
  }

  @Override
  public Future<Integer> purge() {
    return database.read(session -> session.update(SqlStatement.DELETE_BANS, Tuple.of(PURGED_MAX)));
  }

  /** These bans, with a time that was read before them. */
  private static Future<Page> page(SqlSession session, LongFunction<Future<List<Ban>>> bans) {
    return OrderTable.nowMs(session)
        .compose(nowMs -> bans.apply(nowMs).map(found -> new Page(found, nowMs)));
  }

  private static Future<List<Ban>> read(SqlSession session, List<String> userIds) {
    return session.selectEach(SqlStatement.READ_BANS, Items.ofEach(userIds), Columns.to(Ban.class));
  }
}
