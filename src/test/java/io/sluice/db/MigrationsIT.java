package io.sluice.db;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.mysqlclient.MySQLConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MigrationsIT {

  @Test
  void shouldRunOnceWhenStartedAgain() {
    try (TestDatabase database = TestDatabase.migrated(1, 10_000)) {
      // given
      long appliedAt = firstLong(database, "SELECT MAX(applied_at) FROM schema_version");

      // when
      get(Migrations.run(database.vertx(), database.config()));

      // then
      assertThat(firstLong(database, "SELECT MAX(applied_at) FROM schema_version"))
          .isEqualTo(appliedAt);
      assertThat(firstLong(database, "SELECT COUNT(*) FROM schema_version"))
          .isEqualTo(Migrations.all().size());
    }
  }

  @Test
  void shouldRunOnceWhenSeveralInstancesStartTogether() {
    try (TestDatabase database = TestDatabase.empty(1, 10_000)) {
      // given
      List<Future<Void>> runs = new ArrayList<>();

      // when
      for (int i = 0; i < 4; i++) {
        runs.add(Migrations.run(database.vertx(), database.config()));
      }

      // then
      runs.forEach(TestDatabase::get);
      assertThat(firstLong(database, "SELECT COUNT(*) FROM schema_version"))
          .isEqualTo(Migrations.all().size());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0.1", "0, 0.5", "0, 1", "5, 0.1", "5, 0.2", "5, 0.4", "5, 0.8", "5, 1", "8, 0.3", "8, 0.7",
    "8, 1", "9, 0.3", "9, 1"
  })
  void shouldGoOnWhenKilledBetweenTwoStatements(int file, double part) {
    try (TestDatabase database = TestDatabase.empty(1, 10_000)) {
      // given
      List<String> statements = Migrations.all().get(file).statements();
      int done = (int) Math.ceil(statements.size() * part);
      MySQLConnection connection = database.connect();
      get(connection.query(SqlStatement.CREATE_SCHEMA_VERSION.text(0)).execute());
      for (Migrations.Migration before : Migrations.all().subList(0, file)) {
        before.statements().forEach(statement -> get(connection.query(statement).execute()));
        get(
            connection
                .preparedQuery(SqlStatement.INSERT_SCHEMA_VERSION.text(0))
                .execute(Tuple.of(before.version(), before.file())));
      }
      statements.subList(0, done).forEach(statement -> get(connection.query(statement).execute()));
      get(connection.close());

      // when
      get(Migrations.run(database.vertx(), database.config()));

      // then
      assertThat(firstLong(database, "SELECT COUNT(*) FROM inventory_view")).isZero();
      assertThat(firstLong(database, "SELECT COUNT(*) FROM schema_version"))
          .isEqualTo(Migrations.all().size());
    }
  }

  /** It waited without a limit, and everybody else who used the table waited behind it. */
  @Test
  void shouldEndTheStartWhenATableIsReadForLong() {
    try (TestDatabase database = TestDatabase.migrated(1, 10_000)) {
      // given
      database.sql("DELETE FROM schema_version WHERE version >= 22");
      MySQLConnection report = database.connect();
      get(report.query("START TRANSACTION").execute());
      get(report.query("SELECT * FROM order_hold").execute());

      // when
      Future<Void> blocked = Migrations.run(database.vertx(), database.config());

      // then
      assertThatThrownBy(() -> get(blocked))
          .isInstanceOf(BlockedMigrationException.class)
          .hasMessageContaining("ALTER TABLE order_hold")
          .hasMessageContaining("end backups, dumps and long reports");
      assertThat(firstLong(database, "SELECT COUNT(*) FROM order_hold")).isZero();

      // when
      get(report.close());
      get(Migrations.run(database.vertx(), database.config()));

      // then
      assertThat(firstLong(database, "SELECT COUNT(*) FROM schema_version"))
          .isEqualTo(Migrations.all().size());
    }
  }

  private static long firstLong(TestDatabase database, String sql) {
    return database.sql(sql).iterator().next().getLong(0);
  }
}
