package io.sluice.db;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.sluice.config.MysqlConfig;
import io.sluice.testkit.fault.FaultProxy;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** How long calls to the database may wait, how many may, and on which context they complete. */
class DatabaseLimitsIT {
  private static final int TIMEOUT_MS = 1_500;

  @AutoClose private static final TestDatabase database = TestDatabase.migrated(2, TIMEOUT_MS);

  private static final Database unit = database.database();

  @Test
  void shouldNotBeginWhenTheTimeIsUp() {
    try (FaultProxy slow = FaultProxy.inFrontOf(database.config().uri())) {
      // given
      slow.delay(Duration.ofMillis(TIMEOUT_MS / 3));
      Database connecting = behind(slow, 1);
      AtomicInteger begun = new AtomicInteger();

      // when
      SqlFailure failure =
          failureOf(
              connecting.inTransaction(
                  session -> {
                    begun.incrementAndGet();
                    return Future.succeededFuture();
                  }));
      slow.heal();

      // then
      assertThat(failure.fault()).isEqualTo(SqlFault.UNAVAILABLE);
      await()
          .ignoreExceptions()
          .untilAsserted(() -> assertThat(get(clock(connecting))).isPositive());
      assertThat(begun).hasValue(0);
      get(connecting.close());
    }
  }

  @Test
  void shouldServeOthersWhenTheTimeOfAllIsUp() {
    // given
    Promise<Void> end = Promise.promise();
    List<Future<Void>> holders =
        Stream.generate(() -> unit.withSession(session -> end.future())).limit(2).toList();

    // when
    holders.forEach(holder -> assertThat(failureOf(holder)).isNotNull());

    // then
    assertThat(get(clock(unit))).isPositive();
    end.complete();
  }

  /** The server still waits for the client then, which has left, and keeps what it has locked. */
  @Test
  void shouldGetALockThatALostConnectionHad() {
    try (FaultProxy link = FaultProxy.inFrontOf(database.config().uri())) {
      // given
      Database cut = behind(link, 2);

      // when
      SqlFailure failure = failureOf(losingALock(cut, link));
      long term = get(cut.inTransaction(DatabaseLimitsIT::lock));

      // then
      assertThat(failure.fault()).isEqualTo(SqlFault.UNAVAILABLE);
      assertThat(term).isEqualTo(1);
      get(cut.close());
    }
  }

  /** MariaDB would end the wait for a replica then, and commit without it. */
  @Test
  void shouldNotKillAConnectionInItsCommit() {
    try (FaultProxy link = FaultProxy.inFrontOf(database.config().uri())) {
      // given
      Database cut = behind(link, 2);
      link.swallowReplyTo("FOR UPDATE", "COMMIT");
      long killedBefore = killed();

      // when
      SqlFailure failure = failureOf(cut.inTransaction(DatabaseLimitsIT::lock));
      failureOf(losingALock(cut, link));
      get(cut.inTransaction(DatabaseLimitsIT::lock));

      // then
      assertThat(failure.fault()).isEqualTo(SqlFault.UNAVAILABLE);
      assertThat(killed()).as("of the other one").isEqualTo(killedBefore + 1);
      get(cut.close());
    }
  }

  @Test
  void shouldRefuseAtOnceWhenTooManyWait() {
    // given
    Promise<Void> end = Promise.promise();
    List<Future<?>> calls = new ArrayList<>();

    // when
    for (int i = 0; i < 400; i++) {
      calls.add(unit.withSession(session -> end.future()));
    }

    // then
    get(Future.any(calls.subList(200, 400).stream().map(DatabaseLimitsIT::whenRefused).toList()));
    end.complete();
    get(Future.join(calls).otherwiseEmpty());
    assertThat(calls).filteredOn(Future::succeeded).hasSizeGreaterThan(2);
    assertThat(get(clock(unit))).isPositive();
  }

  @Test
  void shouldAnswerOnTheCallersContext() {
    // given
    Vertx vertx = database.vertx();
    List<Future<Boolean>> answers = new ArrayList<>();

    // when
    for (int i = 0; i < 8; i++) {
      Promise<Boolean> answer = Promise.promise();
      Context context = vertx.getOrCreateContext();
      context.runOnContext(
          begun ->
              clock(unit).onComplete(done -> answer.complete(Vertx.currentContext() == context)));
      answers.add(answer.future());
    }

    // then
    answers.forEach(answer -> assertThat(get(answer)).isTrue());
  }

  @Test
  void shouldAnswerOnTheCallersContextWhenTheTimeIsUp() {
    // given
    Context context = database.vertx().getOrCreateContext();
    Promise<Boolean> answer = Promise.promise();
    Promise<Void> end = Promise.promise();

    // when
    context.runOnContext(
        begun ->
            unit.withSession(session -> end.future())
                .onComplete(
                    ended -> answer.complete(ended.failed() && Vertx.currentContext() == context)));

    // then
    assertThat(get(answer.future())).isTrue();
    end.complete();
  }

  @Test
  void shouldBeUnavailableWhenNobodyListens() {
    // given
    MysqlConfig nobody =
        new MysqlConfig(
            "mysql://sluice:sluice@127.0.0.1:1/sluice", 1, 1, TIMEOUT_MS, "disabled", "");
    Database unreachable = TestDatabase.open(database.vertx(), nobody, database.meters());

    // when
    SqlFailure failure =
        failureOf(
            unreachable.withSession(
                session ->
                    session.select(SqlStatement.READ_CLOCK, Tuple.tuple(), row -> row.getLong(0))));

    // then
    assertThat(failure.fault()).isEqualTo(SqlFault.UNAVAILABLE);
    get(unreachable.close());
  }

  // ---- helpers

  private static Future<?> whenRefused(Future<?> call) {
    return call.transform(
        done ->
            done.failed() ? Future.succeededFuture() : Future.failedFuture("it was let through"));
  }

  private static SqlFailure failureOf(Future<?> call) {
    return catchThrowableOfType(SqlFailure.class, () -> get(call));
  }

  /** One with a row to be locked. */
  private static Database behind(FaultProxy link, int poolSize) {
    database.sql(
        "INSERT IGNORE INTO partition_fence (partition_id, term, next_offset) VALUES (3, 1, 0)");
    MysqlConfig config = new MysqlConfig(link.uri(), poolSize, 1, TIMEOUT_MS, "disabled", "");
    return TestDatabase.open(database.vertx(), config, database.meters());
  }

  /** A call whose link is cut while it has a lock. */
  private static Future<?> losingALock(Database cut, FaultProxy link) {
    Promise<Long> locked = Promise.promise();
    Promise<Void> parted = Promise.promise();
    Future<?> lost =
        cut.inTransaction(
            session ->
                lock(session)
                    .onSuccess(locked::complete)
                    .compose(row -> parted.future())
                    .compose(gone -> lock(session)));
    get(locked.future());
    link.partOpen();
    parted.complete();
    return lost;
  }

  /** How often this server was asked to kill a connection. */
  private static long killed() {
    return Long.parseLong(
        database.sql("SHOW GLOBAL STATUS LIKE 'Com_kill'").iterator().next().getString(1));
  }

  private static Future<Long> lock(SqlSession session) {
    return session.only(SqlStatement.LOCK_FENCE, Tuple.of(3), row -> row.getLong("term"));
  }

  private static Future<Long> clock(Database database) {
    return database
        .withSession(
            session ->
                session.select(SqlStatement.READ_CLOCK, Tuple.tuple(), row -> row.getLong(0)))
        .map(rows -> rows.get(0));
  }
}
