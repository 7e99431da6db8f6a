package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.db.Database;
import io.sluice.db.SqlSession;
import io.sluice.db.SqlSession.Items;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Webhooks;
import io.sluice.ledger.rules.WebhookRules;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The targets of events in MySQL or MariaDB. */
public final class MySqlWebhooks implements Webhooks {
  private static final int DELETED_MAX = 1_000;
  private static final int WHY_MAX = 255;

  private final LedgerDatabase database;

  public MySqlWebhooks(Database database) {
    this.database = new LedgerDatabase(database);
  }

  // ---- operators

  @Override
  public Future<PutResult> put(NewWebhook wanted) {
    return database.inTransaction(
        session ->
            lock(session, wanted.webhookId())
                .compose(
                    was ->
                        all(session)
                            .compose(
                                others ->
                                    OrderTable.nowMs(session)
                                        .compose(
                                            nowMs ->
                                                write(
                                                    session,
                                                    WebhookRules.put(
                                                        was,
                                                        wanted,
                                                        nowMs,
                                                        () -> others.size() >= TARGETS_MAX))))));
  }

  private static Future<PutResult> write(SqlSession session, PutResult result) {
    if (!(result instanceof PutResult.Done done)) {
      return Future.succeededFuture(result);
    }
    Webhook now = done.webhook();
    return (done.created()
            ? session.insert(
                SqlStatement.INSERT_WEBHOOK,
                List.of(
                    Columns.of(
                        now.webhookId(),
                        now.url(),
                        now.secret(),
                        now.formerSecret(),
                        now.formerUntilMs(),
                        now.types(),
                        now.form(),
                        now.cursor())))
            : session.updateOne(
                SqlStatement.UPDATE_WEBHOOK,
                Columns.of(
                    now.url(),
                    now.secret(),
                    now.formerSecret(),
                    now.formerUntilMs(),
                    now.types(),
                    now.form(),
                    now.webhookId())))
        .map(result);
  }

  @Override
  public Future<Boolean> delete(String webhookId) {
    return AsyncLoop.untilPresent(
        () -> database.inTransaction(session -> deleteSome(session, webhookId)));
  }

  /** Whether there was one, once it is gone. */
  private static Future<Optional<Boolean>> deleteSome(SqlSession session, String webhookId) {
    return lock(session, webhookId)
        .compose(
            locked ->
                session
                    .update(SqlStatement.DELETE_DELIVERIES_OF, Tuple.of(webhookId, DELETED_MAX))
                    .compose(
                        deleted ->
                            deleted == DELETED_MAX
                                ? Future.succeededFuture(Optional.<Boolean>empty())
                                : session
                                    .update(SqlStatement.DELETE_WEBHOOK, Tuple.of(webhookId))
                                    .map(found -> Optional.of(found == 1))));
  }

  @Override
  public Future<List<Webhook>> webhooks() {
    return database.read(MySqlWebhooks::all);
  }

  @Override
  public Future<Counts> counts(String webhookId) {
    return database.read(
        session ->
            session.only(
                SqlStatement.COUNT_DELIVERIES, Tuple.of(webhookId), Columns.to(Counts.class)));
  }

  @Override
  public Future<List<Delivery>> deliveries(String webhookId, long after, int limit) {
    return database.read(
        session ->
            session.select(
                SqlStatement.LIST_DELIVERIES,
                Tuple.of(webhookId, after, limit),
                Columns.to(Delivery.class)));
  }

  @Override
  public Future<Integer> replay(String webhookId) {
    return database.read(
        session ->
            session.update(SqlStatement.REPLAY_DELIVERIES, Tuple.of(webhookId, WAITING_MAX)));
  }

  // ---- the instance that sends

  @Override
  public Future<Optional<Webhook>> lease(String webhookId, String owner, Duration length) {
    return database.inTransaction(
        session ->
            session
                .update(
                    SqlStatement.LEASE_WEBHOOK,
                    Tuple.of(owner, length.toMillis(), webhookId, owner))
                .compose(
                    leased ->
                        leased == 0
                            ? Future.succeededFuture(Optional.empty())
                            : lock(session, webhookId)));
  }

  @Override
  public Future<Void> release(String owner) {
    return database
        .read(session -> session.update(SqlStatement.RELEASE_WEBHOOKS, Tuple.of(owner)))
        .mapEmpty();
  }

  @Override
  public Future<Boolean> advance(
      String webhookId, String owner, String from, String to, List<Parked> parked) {
    return database.inTransaction(
        session ->
            session
                .update(SqlStatement.ADVANCE_WEBHOOK, Tuple.of(to, webhookId, owner, from))
                .compose(
                    moved ->
                        moved == 0
                            ? Future.succeededFuture(false)
                            : park(session, webhookId, parked).map(true)));
  }

  private static Future<Void> park(SqlSession session, String webhookId, List<Parked> parked) {
    return parked.isEmpty()
        ? Future.succeededFuture()
        : OrderTable.nowMs(session)
            .compose(
                nowMs ->
                    session.insert(
                        SqlStatement.INSERT_DELIVERIES,
                        parked.stream().map(each -> row(webhookId, each, nowMs)).toList()));
  }

  private static Tuple row(String webhookId, Parked parked, long nowMs) {
    return Columns.of(
        webhookId,
        parked.messageId(),
        parked.eventType(),
        parked.orderKey(),
        parked.event(),
        State.WAITING,
        parked.attempts(),
        nowMs,
        nowMs + parked.waits().toMillis(),
        brief(parked.why()));
  }

  private static String brief(String why) {
    return why.length() <= WHY_MAX ? why : why.substring(0, WHY_MAX);
  }

  @Override
  public Future<List<String>> parkedOf(String webhookId, List<String> orderKeys) {
    return database.read(
        session ->
            session.selectEach(
                SqlStatement.LIST_PARKED_KEYS,
                new Items(Tuple.tuple(), Items.ofEach(orderKeys).items(), Tuple.of(webhookId)),
                row -> row.getString(0)));
  }

  @Override
  public Future<List<Delivery>> due(String webhookId, int limit) {
    return database.read(
        session ->
            session.select(
                SqlStatement.LIST_DUE_DELIVERIES,
                Tuple.of(webhookId, limit),
                Columns.to(Delivery.class)));
  }

  @Override
  public Future<Boolean> settle(
      String webhookId, String owner, List<Long> accepted, List<Retried> retried) {
    return asOwner(
        webhookId,
        owner,
        session ->
            session
                .updateEach(SqlStatement.DELETE_DELIVERIES, Items.ofEach(accepted))
                .compose(
                    deleted ->
                        retried.isEmpty()
                            ? Future.succeededFuture(0)
                            : OrderTable.nowMs(session)
                                .compose(
                                    nowMs ->
                                        session.update(
                                            SqlStatement.DELAY_DELIVERIES,
                                            Tuple.of(rows(retried, nowMs))))));
  }

  private static String rows(List<Retried> retried, long nowMs) {
    JsonArray rows = new JsonArray();
    for (Retried each : retried) {
      Duration waits = each.waits();
      rows.add(
          new JsonArray()
              .add(each.no())
              .add(each.attempts())
              .add(waits == null ? nowMs : nowMs + waits.toMillis())
              .add((waits == null ? State.FAILED : State.WAITING).name())
              .add(brief(each.why())));
    }
    return rows.encode();
  }

  @Override
  public Future<Void> stop(String webhookId, String owner, String why) {
    return database
        .read(
            session ->
                session.update(SqlStatement.STOP_WEBHOOK, Tuple.of(brief(why), webhookId, owner)))
        .mapEmpty();
  }

  @Override
  public Future<Integer> purge(String webhookId) {
    return database.read(
        session ->
            OrderTable.nowMs(session)
                .compose(
                    nowMs ->
                        session.update(
                            SqlStatement.DELETE_FAILURES,
                            Tuple.of(webhookId, nowMs - FAILED_KEPT_FOR.toMillis(), DELETED_MAX))));
  }

  /** Without an effect, and false, if another instance has the target by now. */
  private Future<Boolean> asOwner(
      String webhookId, String owner, Function<SqlSession, Future<?>> work) {
    return database.inTransaction(
        session ->
            lock(session, webhookId)
                .compose(
                    now ->
                        now.filter(locked -> locked.owner().equals(owner)).isPresent()
                            ? work.apply(session).map(true)
                            : Future.succeededFuture(false)));
  }

  private static Future<List<Webhook>> all(SqlSession session) {
    return session.select(SqlStatement.LIST_WEBHOOKS, Tuple.tuple(), Columns.to(Webhook.class));
  }

  private static Future<Optional<Webhook>> lock(SqlSession session, String webhookId) {
    return session.first(SqlStatement.LOCK_WEBHOOK, Tuple.of(webhookId), Columns.to(Webhook.class));
  }
}
