package io.sluice.testkit.mysql;

import io.sluice.testkit.process.DataFolder;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.server.BackendException;
import io.sluice.testkit.server.Server;
import io.sluice.testkit.server.ServerBackend;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.mysqlclient.MySQLConnectOptions;
import io.vertx.mysqlclient.MySQLConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A real MySQL or MariaDB: utf8mb4, flushed at each commit. */
public final class MysqlBackend extends ServerBackend {
  private static final int SQL_LIMIT_S = 30;
  private static final Path LEDGER_SQL = Path.of("conf", "ledger.sql");

  private final URI adminUri;
  private final boolean ours;
  private final Optional<DataFolder> data;
  private final Queue<String> databases = new ConcurrentLinkedQueue<>();
  private Vertx vertx;

  /**
   * The user of {@code adminUri} may create databases and, on a server started by the tests, users.
   */
  public MysqlBackend(Server server, URI adminUri) {
    this(server, adminUri, Optional.empty());
  }

  /** {@code data} is its folder, where it is accessible. */
  public MysqlBackend(Server server, URI adminUri, Optional<DataFolder> data) {
    super(MysqlFactory.NAME, server);
    this.data = data;
    this.adminUri = adminUri;
    this.ours = server.killable();
  }

  /**
   * Creates an empty database and returns its URI, such as {@code
   * mysql://user:password@127.0.0.1:20789/sluice_1a2b}.
   *
   * <p>On a server started by the tests it is made as {@code conf/ledger.sql} says: it has its own
   * user, with the rights that the service needs, and none elsewhere. On a server that the
   * environment names it is used with the credentials given there, and dropped at the end.
   */
  public String newDatabase() {
    String name = "sluice_" + UUID.randomUUID().toString().substring(0, 8);
    databases.add(name);
    if (!ours) {
      execute(List.of("CREATE DATABASE " + name + " CHARACTER SET utf8mb4"));
      return adminUri.resolve("/" + name).toString();
    }
    execute(shipped(name));
    return "mysql://%s:%s@%s:%d/%s"
        .formatted(name, name, adminUri.getHost(), adminUri.getPort(), name);
  }

  /** What we ship for a first database, with this name for database, user and password. */
  private static List<String> shipped(String name) {
    try (Stream<String> lines = Files.lines(LEDGER_SQL)) {
      String code = lines.filter(line -> !line.startsWith("--")).collect(Collectors.joining("\n"));
      return Stream.of(code.replace("sluice", name).split(";\\s*"))
          .filter(statement -> !statement.isBlank())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs statements as the administrator, e.g. to change global settings. */
  public void administer(String... statements) {
    execute(List.of(statements));
  }

  /** Whether its data can be saved and restored. */
  public boolean restorable() {
    return data.isPresent();
  }

  /**
   * Copies its data while the server is paused, like the snapshot of a volume: restored, it is what
   * a crash at this moment would have left.
   */
  public Path saveData() {
    return whileItHangs(data.orElseThrow()::save);
  }

  /** Restores older data and uses the copy up. Only while it is stopped. */
  public void restoreData(Path copy) {
    requireStopped("restoreData()");
    Path folder = data.orElseThrow().path();
    Folders.delete(folder);
    Folders.move(copy, folder);
  }

  @Override
  public synchronized void close() {
    if (vertx == null) {
      super.close();
      return;
    }
    try {
      if (!ours) {
        execute(databases.stream().map(name -> "DROP DATABASE IF EXISTS " + name).toList());
      }
    } finally {
      vertx.close();
      super.close();
    }
  }

  /** Reuses its Vertx: none can be created in a shutdown hook, where the databases are dropped. */
  private synchronized void execute(List<String> statements) {
    if (vertx == null) {
      vertx = Vertx.vertx(new VertxOptions().setUseDaemonThread(true).setEventLoopPoolSize(1));
    }
    try {
      MySQLConnection connection =
          MySQLConnection.connect(vertx, MySQLConnectOptions.fromUri(adminUri.toString()))
              .await(SQL_LIMIT_S, TimeUnit.SECONDS);
      for (String statement : statements) {
        connection.query(statement).execute().await(SQL_LIMIT_S, TimeUnit.SECONDS);
      }
      connection.close().await(SQL_LIMIT_S, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new BackendException(describe() + " did not answer " + statements, e);
    }
  }
}
