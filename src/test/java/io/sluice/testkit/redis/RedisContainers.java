package io.sluice.testkit.redis;

import io.sluice.testkit.process.FreePort;
import io.sluice.testkit.process.StartContext;
import io.sluice.testkit.server.DockerServers;
import io.sluice.testkit.server.ServerContainer;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;

/**
 * Runs Redis in containers.
 *
 * <p>A primary and its replicas, and the tests' proxies between them, must reach each other at the
 * addresses that the tests use. That works on the host's network, where the engine shares it. An
 * engine in a virtual machine of its own does not; there a Redis has no replicas.
 */
public record RedisContainers(StartContext context, Map<String, String> settings) {
  private static final String IMAGE = "redis:7";
  private static final String HOST_NETWORK = "host";
  private static final String VIRTUAL_MACHINE = "Docker Desktop";
  private static final int PORT = 6379;

  public RedisBackend start() {
    return isHostShared() ? onHostNetwork("redis") : published();
  }

  private static boolean isHostShared() {
    String engine = DockerClientFactory.instance().client().infoCmd().exec().getOperatingSystem();
    return engine == null || !engine.contains(VIRTUAL_MACHINE);
  }

  private RedisBackend onHostNetwork(String name) {
    int port = FreePort.next();
    List<String> options = new ArrayList<>(List.of("--bind", "127.0.0.1"));
    options.addAll(List.of("--port", String.valueOf(port)));
    GenericContainer<?> container =
        new GenericContainer<>(IMAGE)
            .waitingFor(new DockerServers.NoWait())
            .withNetworkMode(HOST_NETWORK)
            .withCommand(command(options));
    return backend(
        name, container, port, Optional.of(() -> onHostNetwork("redis-" + UUID.randomUUID())));
  }

  private RedisBackend published() {
    int port = FreePort.next();
    // In a container all callers are remote ones.
    String[] command = command(List.of("--protected-mode", "no"));
    GenericContainer<?> container =
        DockerServers.container(IMAGE, Map.of(port, PORT)).withCommand(command);
    return backend("redis", container, port, Optional.empty());
  }

  private RedisBackend backend(
      String name, GenericContainer<?> container, int port, Optional<RedisBackend.Kin> kin) {
    URI uri = URI.create("redis://127.0.0.1:" + port);
    ServerContainer server =
        DockerServers.start(context, RedisFactory.NAME, container, new RedisProbe(uri));
    var files = new RedisContainerFiles(server, context.folderOf(name));
    return new RedisBackend(server, uri.toString(), files, kin);
  }

  private String[] command(List<String> options) {
    List<String> command = new ArrayList<>(RedisContainerFiles.COMMAND);
    command.addAll(options);
    settings.forEach((key, value) -> command.addAll(List.of("--" + key, value)));
    return command.toArray(String[]::new);
  }
}
