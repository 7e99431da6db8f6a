package io.sluice.db;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.testkit.mysql.MysqlBackend;
import io.sluice.testkit.server.Backends;
import io.vertx.mysqlclient.MySQLConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server whose variables differ from what the service relies on: a session sets all of it. */
class ForeignSettingsIT {
  /** By name: what the server has, and what a session must have. */
  private static final List<List<String>> SETTINGS =
      List.of(
          List.of("autocommit", "0", "1"),
          List.of("completion_type", "'CHAIN'", "NO_CHAIN"),
          List.of("sql_safe_updates", "1", "0"),
          List.of("sql_select_limit", "1", "18446744073709551615"),
          List.of("group_concat_max_len", "4", "1048576"),
          List.of("foreign_key_checks", "0", "1"),
          List.of("unique_checks", "0", "1"),
          List.of("sql_auto_is_null", "1", "0"),
          List.of("time_zone", "'+09:00'", "+00:00"),
          List.of("character_set_client", "'latin1'", "utf8mb4"),
          List.of("character_set_connection", "'latin1'", "utf8mb4"),
          List.of("character_set_results", "'latin1'", "utf8mb4"),
          List.of("collation_connection", "'latin1_swedish_ci'", "utf8mb4_general_ci"),
          List.of(
              "sql_mode",
              "'ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,PAD_CHAR_TO_FULL_LENGTH'",
              "STRICT_TRANS_TABLES,STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION"));

  private final MysqlBackend server = Backends.shared().mysql();
  private final List<String> before = new ArrayList<>();
  private TestDatabase database;

  @BeforeEach
  void setOthers() {
    assumeTrue(server.killable(), "settings of a server that the environment names stay");
    database = TestDatabase.empty(1, 10_000);
    for (List<String> setting : SETTINGS) {
      before.add(
          "SET GLOBAL %s = %s"
              .formatted(
                  setting.get(0), quoted(value("GLOBAL", setting.get(0), database.connect()))));
    }
    for (List<String> setting : SETTINGS) {
      server.administer("SET GLOBAL %s = %s".formatted(setting.get(0), setting.get(1)));
    }
    server.administer("SET GLOBAL TRANSACTION ISOLATION LEVEL SERIALIZABLE, READ ONLY");
  }

  private static String value(String scope, String name, MySQLConnection connection) {
    return get(connection.query("SELECT CAST(@@%s.%s AS CHAR)".formatted(scope, name)).execute())
        .iterator()
        .next()
        .getString(0)
        .replace("OFF", "0")
        .replaceFirst("^ON$", "1");
  }

  private static String quoted(String value) {
    return value.matches("\\d+") ? value : "'" + value + "'";
  }

  @AfterEach
  void putThemBack() {
    if (database != null) {
      setThemBack();
      database.close();
    }
  }

  private void setThemBack() {
    before.forEach(server::administer);
    server.administer("SET GLOBAL TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ WRITE");
  }

  @Test
  void shouldSetAllThatItReliesOn() {
    // given
    MySQLConnection unit = database.connect();

    // when
    get(ConnectionFactory.setSession(unit, 10_000));

    // then
    for (List<String> setting : SETTINGS) {
      assertThat(value("SESSION", setting.get(0), unit))
          .as(setting.get(0))
          .isEqualTo(setting.get(2));
    }
  }

  /** With autocommit=0 nothing outside of a transaction was kept: orders never timed out. */
  @Test
  void shouldKeepWhatIsWrittenOutsideOfATransaction() {
    // given
    get(Migrations.run(database.vertx(), database.config()));

    // when
    get(
        database
            .database()
            .withSession(
                session ->
                    session.update(
                        SqlStatement.INSERT_SCHEMA_VERSIONS, Tuple.of(9_999, 9_999, "planted"))));

    // then
    setThemBack();
    assertThat(database.sql("SELECT COUNT(*) FROM schema_version").iterator().next().getInteger(0))
        .isEqualTo(MigrationsIT.RECORDED + 1);
  }
}
