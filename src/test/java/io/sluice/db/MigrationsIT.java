package io.sluice.db;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.vertx.core.Future;
import io.vertx.mysqlclient.MySQLConnection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MigrationsIT {
  /** The versions of a new ledger: with its own, the baseline records all before it. */
  static final int RECORDED = 30;

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
      assertThat(firstLong(database, "SELECT COUNT(*) FROM schema_version")).isEqualTo(RECORDED);
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
      assertThat(firstLong(database, "SELECT COUNT(*) FROM schema_version")).isEqualTo(RECORDED);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.3, 0.5, 0.7, 0.9, 1})
  void shouldGoOnWhenKilledBetweenTwoStatements(double part) {
    try (TestDatabase database = TestDatabase.empty(1, 10_000)) {
      // given
      List<String> statements = Migrations.all().get(0).statements();
      int done = (int) Math.ceil(statements.size() * part);
      MySQLConnection connection = database.connect();
      get(connection.query(SqlStatement.CREATE_SCHEMA_VERSION.text(0)).execute());
      statements.subList(0, done).forEach(statement -> get(connection.query(statement).execute()));
      get(connection.close());

      // when
      get(Migrations.run(database.vertx(), database.config()));

      // then
      assertThat(firstLong(database, "SELECT COUNT(*) FROM inventory_view")).isZero();
      assertThat(firstLong(database, "SELECT COUNT(*) FROM schema_version")).isEqualTo(RECORDED);
    }
  }

  /** No build can upgrade it, and one of before would change what it finds. */
  @ParameterizedTest
  @ValueSource(ints = {1, 12, 23})
  void shouldChangeNothingOfALedgerOfABuildBefore(int version) {
    try (TestDatabase database = TestDatabase.empty(1, 10_000)) {
      // given
      database.sql(SqlStatement.CREATE_SCHEMA_VERSION.text(0));
      for (int before = 1; before <= version; before++) {
        database.sql("INSERT INTO schema_version VALUES (%d, 'V.sql', 7)".formatted(before));
      }
      database.sql("CREATE TABLE inventory (sku_id BIGINT NOT NULL PRIMARY KEY)");

      // when
      Throwable refused =
          catchThrowable(() -> get(Migrations.run(database.vertx(), database.config())));

      // then
      assertThat(refused)
          .isInstanceOf(Migrations.TooOldException.class)
          .hasMessageContaining("schema %d".formatted(version))
          .hasMessageContaining("no release can upgrade that");
      assertThat(firstLong(database, "SELECT COUNT(*) FROM schema_version")).isEqualTo(version);
      assertThat(firstLong(database, "SELECT MAX(applied_at) FROM schema_version")).isEqualTo(7);
      assertThat(
              firstLong(
                  database,
                  "SELECT COUNT(*) FROM information_schema.columns WHERE table_schema ="
                      + " DATABASE()"))
          .isEqualTo(4);
    }
  }

  /** It waited without a limit, and everybody else who used the table waited behind it. */
  @Test
  void shouldEndTheStartWhenATableIsReadForLong() {
    try (TestDatabase database = TestDatabase.migrated(1, 10_000)) {
      // given
      database.sql("DELETE FROM schema_version");
      MySQLConnection report = database.connect();
      get(report.query("START TRANSACTION").execute());
      get(report.query("SELECT * FROM orders").execute());

      // when
      Future<Void> blocked = Migrations.run(database.vertx(), database.config());

      // then
      assertThatThrownBy(() -> get(blocked))
          .isInstanceOf(Migrations.BlockedException.class)
          .hasMessageContaining("(CREATE ")
          .hasMessageContaining("end backups, dumps and long reports");
      assertThat(firstLong(database, "SELECT COUNT(*) FROM order_hold")).isZero();

      // when
      get(report.close());
      get(Migrations.run(database.vertx(), database.config()));

      // then
      assertThat(firstLong(database, "SELECT COUNT(*) FROM schema_version")).isEqualTo(RECORDED);
    }
  }

  private static long firstLong(TestDatabase database, String sql) {
    return database.sql(sql).iterator().next().getLong(0);
  }
}
