package io.sluice.testkit.mysql;

import io.sluice.testkit.process.DataFolder;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.StartContext;
import io.sluice.testkit.process.Workspace;
import io.sluice.testkit.server.DockerServers;
import io.sluice.testkit.server.NamedServer;
import io.sluice.testkit.server.Server;
import io.sluice.testkit.server.ServerFactory;
import io.sluice.testkit.server.ServerOptions;
import io.sluice.testkit.server.ServerProcess;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Starts or finds a MySQL (in Docker) or a MariaDB (elsewhere). */
public record MysqlFactory(StartContext context) implements ServerFactory<MysqlBackend> {
  public static final String NAME = "MySQL";

  /** Settings that make a server durable and small in tests, wherever it runs. */
  static final Map<String, String> SETTINGS =
      Map.of(
          "character-set-server", "utf8mb4",
          "innodb-flush-log-at-trx-commit", "1",
          "innodb-buffer-pool-size", "256M",
          "max-connections", "500",
          "max-allowed-packet", "64M");

  private static final String VARIABLE = "SLUICE_TEST_MYSQL_URI";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Optional<MysqlBackend> named() {
    // The driver's parser would take an empty path for a database with an empty name.
    return context.variable(VARIABLE).map(uri -> named(URI.create(uri.replaceFirst("/$", ""))));
  }

  private MysqlBackend named(URI uri) {
    Server server = new NamedServer(NAME, VARIABLE, new MysqlProbe(uri));
    server.start();
    return new MysqlBackend(server, uri);
  }

  @Override
  public MysqlBackend inDocker() {
    return DockerServers.mysql(context, settings());
  }

  @Override
  public Optional<MysqlBackend> ofSystem() {
    return MariaDbProgram.ofSystem().map(program -> run(program, "system"));
  }

  @Override
  public MysqlBackend embedded() {
    MariaDbJar jar = MariaDbJar.onClassPath();
    Path base =
        Workspace.cached(
            jar.id(),
            unpacked -> {
              context.preparing(NAME, "unpacking " + jar.id() + ", only on first use");
              jar.unpack(unpacked);
            });
    return run(MariaDbProgram.unpacked(jar.id(), base), "embedded");
  }

  private MysqlBackend run(MariaDbProgram program, String origin) {
    Path folder = context.folderOf("mysql");
    Path data = folder.resolve("data");
    Path template =
        Workspace.cached(
            program.id() + "-data",
            made -> {
              context.preparing(NAME, "making the first data folder, only on first use");
              program.bootstrap(made);
            });
    Folders.copy(template, data);
    ServerProcess server =
        ServerProcess.startOnFreePort(
            port -> {
              context.starting(NAME, origin + ", port " + port);
              var command = command(program, port, data);
              var probe = new MysqlProbe(adminUri(port));
              return new ServerProcess.Launch(NAME, origin, folder, command, port, probe);
            });
    return new MysqlBackend(server, adminUri(server.port()), Optional.of(new DataFolder(data)));
  }

  private List<String> command(MariaDbProgram program, int port, Path data) {
    List<String> command = new ArrayList<>(program.command(data));
    command.addAll(
        List.of(
            "--port=" + port,
            "--bind-address=127.0.0.1",
            // Relative to the data folder, since a socket's path must be short.
            "--socket=server.sock",
            "--pid-file=server.pid",
            "--tmpdir=" + data,
            "--skip-log-bin",
            "--skip-name-resolve",
            // Otherwise MariaDB generates a certificate at each start, which takes seconds.
            "--skip-ssl",
            "--innodb-log-file-size=128M"));
    settings().forEach((key, value) -> command.add("--" + key + "=" + value));
    return command;
  }

  private Map<String, String> settings() {
    return ServerOptions.over(SETTINGS, context.options().mysql());
  }

  private static URI adminUri(int port) {
    return URI.create("mysql://root@127.0.0.1:" + port + "/mysql");
  }
}
