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
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A password of the database is changed by a second user with the same rights; the first is
 * dropped. Views that were read with the rights of the first failed then, with error 1449.
 */
class ViewsOfTheCallerIT {
  private static final List<String> VIEWS = List.of("orders", "stock_txn", "inventory_view");

  @AutoClose("close")
  private final Vertx vertx = Vertx.vertx();

  private final MysqlBackend server = Backends.shared().mysql();

  @BeforeEach
  void shouldBeAServerOfOurs() {
    assumeTrue(server.killable(), "users of a server that the environment names are not dropped");
  }

  @Test
  void shouldReadTheViewsWhenWhoMadeThemIsGone() {
    // given
    URI first = URI.create(server.newDatabase());
    String name = first.getPath().substring(1);
    String second = name + "_b";
    migrate(first);
    server.administer(
        "CREATE USER '%s'@'%%' IDENTIFIED BY '%s'".formatted(second, second),
        "GRANT ALL ON %s.* TO '%s'@'%%'".formatted(name, second),
        "DROP USER '%s'@'%%'".formatted(name));
    URI now = URI.create(first.toString().replace(name + ":" + name, second + ":" + second));

    // when
    migrate(now);

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

  private void migrate(URI uri) {
    get(Migrations.run(vertx, new MysqlConfig(uri.toString(), 1, 1, 10_000, "disabled", "")));
  }

  private MySQLConnection connect(URI uri) {
    return get(MySQLConnection.connect(vertx, MySQLConnectOptions.fromUri(uri.toString())));
  }
}
