package io.sluice.testkit.redis;

import io.sluice.testkit.process.DataFiles;
import io.sluice.testkit.process.DataFolder;
import io.sluice.testkit.process.Executables;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.FreePort;
import io.sluice.testkit.process.StartContext;
import io.sluice.testkit.process.Workspace;
import io.sluice.testkit.server.BackendException;
import io.sluice.testkit.server.DockerServers;
import io.sluice.testkit.server.NamedServer;
import io.sluice.testkit.server.Server;
import io.sluice.testkit.server.ServerFactory;
import io.sluice.testkit.server.ServerOptions;
import io.sluice.testkit.server.ServerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.IntFunction;
import redis.embedded.core.ExecutableProvider;
import redis.embedded.model.OsArchitecture;

/** Starts or finds a Redis server. */
public record RedisFactory(StartContext context) implements ServerFactory<RedisBackend> {
  public static final String NAME = "Redis";

  private static final String VARIABLE = "SLUICE_TEST_REDIS_URI";
  private static final String PROGRAM = "redis-server";
  private static final Map<String, String> SETTINGS =
      Map.of(
          "appendonly", "yes",
          "appendfsync", "everysec",
          "save", "",
          "maxmemory-policy", "noeviction");

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Optional<RedisBackend> named() {
    return context.variable(VARIABLE).map(this::named);
  }

  private RedisBackend named(String uri) {
    Server server = new NamedServer(NAME, VARIABLE, new RedisProbe(URI.create(uri)));
    server.start();
    return new RedisBackend(server, uri, new NoFiles());
  }

  @Override
  public RedisBackend inDocker() {
    return DockerServers.redis(context, settings());
  }

  @Override
  public Optional<RedisBackend> ofSystem() {
    return ofSystem(PROGRAM);
  }

  /** Another program of the system that is a Redis, such as {@code valkey-server}. */
  public Optional<RedisBackend> ofSystem(String program) {
    return Executables.find(program).map(path -> run(path, "system"));
  }

  @Override
  public RedisBackend embedded() {
    String resource =
        ExecutableProvider.newProvidedVersionsMap().get(OsArchitecture.detectOSandArchitecture());
    if (resource == null) {
      throw new BackendException("no Redis program for this machine comes with embedded-redis");
    }
    Path folder = Workspace.cached(resource.substring(1), unpacked -> unpack(resource, unpacked));
    return run(folder.resolve(PROGRAM), "embedded");
  }

  private void unpack(String resource, Path folder) throws IOException {
    context.preparing(NAME, "unpacking " + resource.substring(1));
    Path program = folder.resolve(PROGRAM);
    try (InputStream in = ExecutableProvider.class.getResourceAsStream(resource)) {
      Files.copy(in, program);
    }
    if (!program.toFile().setExecutable(true, false)) {
      throw new IOException("cannot make " + program + " executable");
    }
  }

  private RedisBackend run(Path program, String origin) {
    return run(program, origin, "redis");
  }

  private RedisBackend run(Path program, String origin, String name) {
    return run(program, origin, name, port -> Map.of());
  }

  private RedisBackend run(
      Path program, String origin, String name, IntFunction<Map<String, String>> onPort) {
    Path folder = context.folderOf(name);
    Path data = Folders.create(folder.resolve("data"));
    ServerProcess server =
        ServerProcess.startOnFreePort(
            port -> {
              context.starting(NAME, origin + ", port " + port);
              var command = command(program, port, data, onPort.apply(port));
              var probe = new RedisProbe(uri(port));
              return new ServerProcess.Launch(NAME, origin, folder, command, port, probe);
            });
    return new RedisBackend(
        server,
        uri(server.port()).toString(),
        new DataFolder(data),
        Optional.of(new Kin(this, program, origin)));
  }

  private record Kin(RedisFactory factory, Path program, String origin)
      implements RedisBackend.Kin {
    @Override
    public RedisBackend another() {
      return factory.run(program, origin, "redis-" + UUID.randomUUID());
    }

    @Override
    public boolean hasSentinels() {
      return true;
    }

    /** The port of the bus can be chosen, so that a node finds it free after a restart. */
    @Override
    public boolean hasClusters() {
      return RedisProgram.isAtLeast(program, 7);
    }

    @Override
    public RedisBackend node(Map<String, String> settings) {
      return factory.run(
          program,
          origin,
          "node-" + UUID.randomUUID(),
          port ->
              ServerOptions.over(
                  settings,
                  Map.of(
                      "cluster-enabled", "yes", "cluster-port", String.valueOf(FreePort.next()))));
    }

    @Override
    public RedisSentinel sentinel(RedisSentinel.Watch watch) {
      Path folder = Folders.create(factory.context.folderOf("sentinel-" + UUID.randomUUID()));
      return RedisSentinel.run(program, origin, folder, watch);
    }
  }

  private List<String> command(Path program, int port, Path data, Map<String, String> others) {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of("--bind", "127.0.0.1", "--port", Integer.toString(port)));
    command.addAll(List.of("--dir", data.toString()));
    ServerOptions.over(settings(), others)
        .forEach((key, value) -> command.addAll(List.of("--" + key, value)));
    return command;
  }

  private Map<String, String> settings() {
    return ServerOptions.over(SETTINGS, context.options().redis());
  }

  private static URI uri(int port) {
    return URI.create("redis://127.0.0.1:" + port);
  }

  /** Data files of a server that the environment names: not accessible. */
  private static final class NoFiles implements DataFiles {
    @Override
    public void wipe() {
      throw refused();
    }

    @Override
    public Path save() {
      throw refused();
    }

    @Override
    public void restore(Path copy) {
      throw refused();
    }

    private static UnsupportedOperationException refused() {
      return new UnsupportedOperationException(
          "the files of the Redis that " + VARIABLE + " names are out of reach");
    }
  }
}
