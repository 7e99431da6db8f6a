package io.sluice.testkit.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.server.Backends;
import io.vertx.core.Vertx;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LedgerBackupIT {
  private final Vertx vertx = Vertx.vertx();
  private final String uri = Backends.shared().mysql().newDatabase();
  private final LedgerReader ledger = new LedgerReader(vertx, uri);
  private final LedgerBackup unit = new LedgerBackup(vertx, uri);

  @AfterEach
  void close() {
    ledger.close();
    vertx.close();
  }

  @Test
  void shouldGoBackToTheSameMomentWhenRestoredTwice() {
    // given
    run("CREATE TABLE fruit (id BIGINT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(9) UNIQUE)");
    run("CREATE TABLE crate (name VARCHAR(9) PRIMARY KEY, fruit BIGINT, CHECK (fruit >= 0))");
    run("CREATE VIEW stock AS SELECT f.name, c.fruit FROM fruit f JOIN crate c USING (name)");
    run("INSERT INTO fruit (name) VALUES ('apple')");
    run("INSERT INTO crate VALUES ('apple', 3)");
    unit.take();

    for (String later : List.of("plum", "pear")) {
      run("INSERT INTO fruit (name) VALUES ('" + later + "')");
      run("UPDATE crate SET fruit = 9");

      // when
      unit.restore();

      // then
      assertThat(rows("SELECT CONCAT(name, fruit) FROM stock")).containsExactly("apple3");
      assertThat(rows("SELECT name FROM fruit")).containsExactly("apple");
    }
  }

  private void run(String sql) {
    ledger.query(sql, row -> row);
  }

  private List<String> rows(String sql) {
    return ledger.query(sql, row -> row.getString(0));
  }
}
