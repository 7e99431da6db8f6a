package io.sluice.testkit.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.testkit.server.Backends;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.mysqlclient.MySQLConnectOptions;
import io.vertx.mysqlclient.MySQLConnection;
import io.vertx.mysqlclient.MySQLException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each kind of fault that the backend of the shared MySQL or MariaDB offers. */
class MysqlBackendIT {
  private static final String CREATE = "CREATE TABLE sale (id INT PRIMARY KEY, name VARCHAR(40))";
  private static final String INSERT = "INSERT INTO sale VALUES (1, 'Glühwein 🎄')";
  private static final String SELECT = "SELECT name FROM sale WHERE id = 1";

  private final MysqlBackend unit = Backends.shared().mysql();
  private Vertx vertx;
  private String uri;

  @BeforeEach
  void openDatabase() {
    vertx = Vertx.vertx();
    uri = unit.newDatabase();
  }

  @AfterEach
  void closeVertx() throws Exception {
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  @Test
  void shouldKeepAnyTextWhenAsked() throws Exception {
    // given
    run(CREATE);
    run(INSERT);

    // when
    String name = run(SELECT).iterator().next().getString("name");

    // then
    assertThat(name).isEqualTo("Glühwein 🎄");
    assertThat(unit.describe()).matches("(MySQL|MariaDB) \\d.*\\(.+\\)");
  }

  @Test
  void shouldComeBackAsItWasWhenItsDataIsRestored() throws Exception {
    // given
    assumeTrue(unit.restorable());
    run(CREATE);
    run(INSERT);
    Path copy = unit.saveData();
    run("UPDATE sale SET name = 'later'");

    // when
    unit.kill();
    unit.restoreData(copy);
    unit.start();

    // then
    assertThat(run(SELECT).iterator().next().getString("name")).isEqualTo("Glühwein 🎄");
  }

  @Test
  void shouldMakeAnEmptyDatabaseWithItsOwnUserWhenAskedForANewOne() throws Exception {
    // given
    assumeTrue(unit.killable());
    run(CREATE);
    String foreignTable = uri.substring(uri.lastIndexOf('/') + 1) + ".sale";

    // when
    uri = unit.newDatabase();

    // then
    assertThat(run("SHOW TABLES")).isEmpty();
    assertThat(uri).doesNotContain("root");
    assertThatThrownBy(() -> run("SELECT * FROM " + foreignTable))
        .isInstanceOf(MySQLException.class)
        .hasMessageContaining("denied");
  }

  @Test
  void shouldKeepItsRowsWhenKilledAndStarted() throws Exception {
    // given
    assumeTrue(unit.killable());
    run(CREATE);
    run(INSERT);

    // when
    unit.kill();
    unit.start();

    // then
    assertThat(run(SELECT)).hasSize(1);
  }

  @Test
  void shouldAnswerOnlyAfterwardsWhenPaused() throws Exception {
    // given
    assumeTrue(unit.killable());
    MySQLConnection connection = connect();

    // when
    unit.pause();
    Future<RowSet<Row>> answer = connection.query("SELECT 1").execute();

    // then
    assertThatThrownBy(() -> answer.await(300, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    unit.resume();
    assertThat(answer.await(10, TimeUnit.SECONDS)).hasSize(1);
  }

  private MySQLConnection connect() throws TimeoutException {
    return MySQLConnection.connect(vertx, MySQLConnectOptions.fromUri(uri))
        .await(10, TimeUnit.SECONDS);
  }

  /** Uses a new connection each time, since a restart breaks open ones. */
  private RowSet<Row> run(String sql) throws TimeoutException {
    MySQLConnection connection = connect();
    try {
      return connection.query(sql).execute().await(10, TimeUnit.SECONDS);
    } finally {
      connection.close();
    }
  }
}
