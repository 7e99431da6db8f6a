package io.sluice.db;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.testkit.mysql.MysqlBackend;
import io.sluice.testkit.server.Backends;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A primary that is demoted and keeps its connections open. */
class ReadOnlyIT {
  private static final int CONNECTIONS = 3;
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final MysqlBackend server = Backends.shared().mysql();

  @BeforeEach
  void shouldBeAServerOfOurs() {
    assumeTrue(server.killable(), "a server that the environment names must not be made read-only");
  }

  @AfterEach
  void takeWritesAgain() {
    server.administer("SET GLOBAL read_only = 0");
  }

  @Test
  void shouldUseNoConnectionOfBeforeWhenTheServerHasRefusedAWrite() {
    try (TestDatabase database = TestDatabase.migrated(CONNECTIONS, 5_000)) {
      // given
      Database unit = database.database();
      read(unit);
      Set<Long> before = connections(database);

      // when
      server.administer("SET GLOBAL read_only = 1");
      SqlFault fault = catchThrowableOfType(SqlFailure.class, () -> get(write(unit))).fault();

      // then
      assertThat(fault).as("retried, and not blamed on the data").isEqualTo(SqlFault.UNAVAILABLE);
      Set<Long> meanwhile = awaitOthers(database, before);

      // and when
      server.administer("SET GLOBAL read_only = 0");
      get(write(unit));

      // then
      assertThat(awaitOthers(database, meanwhile)).isNotEmpty();
    }
  }

  /**
   * Waits until all connections were replaced; calls keep the pool busy, so none is closed for
   * being idle.
   */
  private static Set<Long> awaitOthers(TestDatabase database, Set<Long> before) {
    Set<Long> now = new HashSet<>();
    await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(200))
        .until(
            () -> {
              read(database.database());
              now.clear();
              now.addAll(connections(database));
              return now.stream().noneMatch(before::contains);
            });
    return now;
  }

  private static Future<Integer> write(Database unit) {
    Tuple report = Tuple.of(1, "report", "report " + System.nanoTime());
    return unit.inTransaction(session -> session.update(SqlStatement.KEEP_REPORT, report));
  }

  private static void read(Database unit) {
    List<Future<List<Long>>> calls =
        IntStream.range(0, 4 * CONNECTIONS)
            .mapToObj(
                call ->
                    unit.inTransaction(
                        session ->
                            session.select(
                                SqlStatement.READ_CLOCK, Tuple.tuple(), row -> row.getLong(0))))
            .toList();
    calls.forEach(TestDatabase::get);
  }

  /** The server's ids of the pool's connections. */
  private static Set<Long> connections(TestDatabase database) {
    Set<Long> ids = new HashSet<>();
    database
        .sql(
            "SELECT id FROM information_schema.processlist"
                + " WHERE db = DATABASE() AND id <> CONNECTION_ID()")
        .forEach(row -> ids.add(row.getLong(0)));
    return ids;
  }
}
