package io.sluice.db;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.config.MysqlConfig;
import io.sluice.db.Database.PoolDecorator;
import io.sluice.metrics.Meters;
import io.sluice.testkit.server.Backends;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.mysqlclient.MySQLConnectOptions;
import io.vertx.mysqlclient.MySQLConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A migrated database on a real server, with what callers need to use it. */
public final class TestDatabase implements AutoCloseable {
  private static final int PATIENCE_S = 600;

  private final Vertx vertx = Vertx.vertx();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final MysqlConfig config;
  private final Database database;

  private TestDatabase(MysqlConfig config) {
    this.config = config;
    this.database = open(vertx, config, new Meters(registry));
  }

  /** As the service opens it, with one pool for all. */
  static Database open(Vertx vertx, MysqlConfig config, Meters meters) {
    return Database.open(vertx, config, meters, PoolDecorator.NONE, "all");
  }

  /** Calls fail after {@code timeoutMs}. */
  public static TestDatabase migrated(int poolSize, int timeoutMs) {
    TestDatabase made = empty(poolSize, timeoutMs);
    get(Migrations.run(made.vertx, made.config));
    return made;
  }

  /** The same without tables. */
  static TestDatabase empty(int poolSize, int timeoutMs) {
    String uri = Backends.shared().mysql().newDatabase();
    return new TestDatabase(new MysqlConfig(uri, poolSize, 1, timeoutMs, "disabled", ""));
  }

  Vertx vertx() {
    return vertx;
  }

  public Database database() {
    return database;
  }

  MysqlConfig config() {
    return config;
  }

  public Meters meters() {
    return new Meters(registry);
  }

  /** The value of a counter. */
  public double counted(String name) {
    return registry.counter(name).count();
  }

  /** A connection outside of the pool, like one of another instance. */
  public MySQLConnection connect() {
    return get(MySQLConnection.connect(vertx, MySQLConnectOptions.fromUri(config.uri())));
  }

  /** Runs SQL outside of the pool. */
  public RowSet<Row> sql(String sql) {
    MySQLConnection connection = connect();
    try {
      return get(connection.query(sql).execute());
    } finally {
      get(connection.close());
    }
  }

  public static <T> T get(Future<T> future) {
    try {
      return future.await(PATIENCE_S, TimeUnit.SECONDS);
    } catch (TimeoutException late) {
      throw new AssertionError("Expected an answer in time", late);
    }
  }

  @Override
  public void close() {
    get(database.close());
    get(vertx.close());
  }
}
