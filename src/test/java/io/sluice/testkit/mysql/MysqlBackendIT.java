package io.sluice.testkit.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.testkit.server.Backends;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What only chaos needs of a database, and that each test has a database of its own. */
class MysqlBackendIT {
  private final MysqlBackend unit = Backends.shared().mysql();
  private final Vertx vertx = Vertx.vertx();
  private final String uri = unit.newDatabase();
  private final LedgerReader database = new LedgerReader(vertx, uri);

  @AfterEach
  void close() {
    database.close();
    vertx.close();
  }

  private List<String> run(String sql) {
    return database.query(sql, row -> row.getString(0));
  }

  @Test
  void shouldComeBackAsItWasWhenItsDataIsRestored() {
    // given
    assumeTrue(unit.restorable());
    run("CREATE TABLE sale (id INT PRIMARY KEY, name VARCHAR(40))");
    run("INSERT INTO sale VALUES (1, 'Glühwein 🎄')");
    Path copy = unit.saveData();
    run("UPDATE sale SET name = 'later'");

    // when
    unit.kill();
    unit.restoreData(copy);
    unit.start();

    // then
    assertThat(run("SELECT name FROM sale")).containsExactly("Glühwein 🎄");
  }

  @Test
  void shouldKeepUsersOutOfTheDatabasesOfOthers() {
    // given
    assumeTrue(unit.killable());
    run("CREATE TABLE sale (id INT PRIMARY KEY)");
    String foreign = uri.substring(uri.lastIndexOf('/') + 1) + ".sale";

    // when, then
    try (LedgerReader other = new LedgerReader(vertx, unit.newDatabase())) {
      assertThatThrownBy(() -> other.query("SELECT * FROM " + foreign, row -> row))
          .hasMessageContaining("denied");
    }
  }
}
