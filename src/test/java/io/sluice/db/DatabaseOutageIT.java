package io.sluice.db;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.testkit.mysql.MysqlBackend;
import io.sluice.testkit.server.Backends;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A database that hangs or dies, and comes back. */
class DatabaseOutageIT {
  private static final int TIMEOUT_MS = 1_500;
  private static final Duration IN_TIME = Duration.ofMillis(TIMEOUT_MS + 1_500);

  private final MysqlBackend server = Backends.shared().mysql();

  @BeforeEach
  void shouldBeAServerOfOurs() {
    assumeTrue(
        server.killable(), "a server that the environment names can be neither paused nor killed");
  }

  @Test
  void shouldBeUnavailableInTimeWhenTheServerHangs() {
    try (TestDatabase database = TestDatabase.migrated(2, TIMEOUT_MS)) {
      // given
      Database unit = database.database();
      get(clocks(unit, 2).get(0));

      // when
      server.pause();
      long begunNs = System.nanoTime();
      List<Future<Long>> calls = clocks(unit, 5);
      List<SqlFault> faults = calls.stream().map(DatabaseOutageIT::faultOf).toList();
      Duration taken = Duration.ofNanos(System.nanoTime() - begunNs);
      server.resume();

      // then
      assertThat(faults).containsOnly(SqlFault.UNAVAILABLE);
      assertThat(taken).isLessThan(IN_TIME);
      assertThat(eventually(unit)).isPositive();
    }
  }

  @Test
  void shouldServeAgainWhenTheServerWasKilled() {
    try (TestDatabase database = TestDatabase.migrated(2, TIMEOUT_MS)) {
      // given
      Database unit = database.database();
      clocks(unit, 2).forEach(TestDatabase::get);

      // when
      server.kill();
      SqlFault fault = faultOf(clocks(unit, 1).get(0));
      server.start();

      // then
      assertThat(fault).isEqualTo(SqlFault.UNAVAILABLE);
      assertThat(eventually(unit)).isPositive();
    }
  }

  private static List<Future<Long>> clocks(Database unit, int calls) {
    return IntStream.range(0, calls).mapToObj(i -> clock(unit)).toList();
  }

  private static Future<Long> clock(Database unit) {
    return unit.inTransaction(
            session ->
                session.select(SqlStatement.READ_CLOCK, Tuple.tuple(), row -> row.getLong(0)))
        .map(rows -> rows.get(0));
  }

  private static SqlFault faultOf(Future<?> call) {
    return catchThrowableOfType(SqlFailure.class, () -> get(call)).fault();
  }

  /**
   * Repeats the call while the database is unavailable, as callers do; each attempt has its own
   * time limit.
   */
  private static long eventually(Database unit) {
    return get(clock(unit).recover(once -> clock(unit)).recover(twice -> clock(unit)));
  }
}
