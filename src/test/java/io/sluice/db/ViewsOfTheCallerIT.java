package io.sluice.db;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.config.MysqlConfig;
import io.sluice.testkit.mysql.MysqlBackend;
import io.sluice.testkit.server.Backends;
import io.vertx.core.Vertx;
import io.vertx.mysqlclient.MySQLConnectOptions;
import io.vertx.mysqlclient.MySQLConnection;
import io.vertx.sqlclient.Tuple;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A password of the database is changed by a second user with the same rights; the first is
 * dropped. Views that were read with the rights of the first failed then, with error 1449.
 */
class ViewsOfTheCallerIT {
  private static final List<String> VIEWS = List.of("orders", "stock_txn", "inventory_view");
  private static final int ALL = Integer.MAX_VALUE;

  @AutoClose("close")
  private final Vertx vertx = Vertx.vertx();

  private final MysqlBackend server = Backends.shared().mysql();

  @BeforeEach
  void shouldBeAServerOfOurs() {
    assumeTrue(server.killable(), "users of a server that the environment names are not dropped");
  }

  /** The first user has applied the migrations up to this one: the views were its own then. */
  @ParameterizedTest
  @ValueSource(ints = {12, 20, ALL})
  void shouldReadTheViewsWhenWhoMadeThemIsGone(int byTheFirst) {
    // given
    URI first = URI.create(server.newDatabase());
    String name = first.getPath().substring(1);
    String second = name + "_b";
    migrate(first, byTheFirst);
    server.administer(
        "CREATE USER '%s'@'%%' IDENTIFIED BY '%s'".formatted(second, second),
        "GRANT ALL ON %s.* TO '%s'@'%%'".formatted(name, second),
        "DROP USER '%s'@'%%'".formatted(name));
    URI now = URI.create(first.toString().replace(name + ":" + name, second + ":" + second));

    // when
    get(Migrations.run(vertx, new MysqlConfig(now.toString(), 1, 10_000, "disabled", "")));

    // then
    MySQLConnection connection = connect(now);
    for (String view : VIEWS) {
      assertThat(
              get(connection.query("SELECT COUNT(*) FROM " + view).execute())
                  .iterator()
                  .next()
                  .getLong(0))
          .isZero();
    }
    get(connection.close());
  }

  private void migrate(URI uri, int upTo) {
    MySQLConnection connection = connect(uri);
    get(connection.query(SqlStatement.CREATE_SCHEMA_VERSION.text(0)).execute());
    Migrations.all().stream()
        .filter(migration -> migration.version() <= upTo)
        .forEach(
            migration -> {
              migration
                  .statements()
                  .forEach(statement -> get(connection.query(statement).execute()));
              get(
                  connection
                      .preparedQuery(SqlStatement.INSERT_SCHEMA_VERSION.text(0))
                      .execute(Tuple.of(migration.version(), migration.file())));
            });
    get(connection.close());
  }

  private MySQLConnection connect(URI uri) {
    return get(MySQLConnection.connect(vertx, MySQLConnectOptions.fromUri(uri.toString())));
  }
}
