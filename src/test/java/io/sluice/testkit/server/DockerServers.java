package io.sluice.testkit.server;

import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import io.sluice.testkit.kafka.KafkaBackend;
import io.sluice.testkit.kafka.KafkaFactory;
import io.sluice.testkit.kafka.KafkaListeners;
import io.sluice.testkit.kafka.KafkaProbe;
import io.sluice.testkit.mysql.MysqlBackend;
import io.sluice.testkit.mysql.MysqlFactory;
import io.sluice.testkit.mysql.MysqlProbe;
import io.sluice.testkit.process.FreePort;
import io.sluice.testkit.process.StartContext;
import io.sluice.testkit.redis.RedisBackend;
import io.sluice.testkit.redis.RedisContainers;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;

/**
 * Runs the servers in containers, each on a loopback port that stays the same when the container is
 * restarted.
 */
public final class DockerServers {
  private static final String MYSQL_IMAGE = "mysql:8.4";
  private static final int MYSQL_PORT = 3306;
  private static final String ROOT_PASSWORD = "sluice";

  private DockerServers() {}

  public static RedisBackend redis(StartContext context, Map<String, String> settings) {
    return new RedisContainers(context, settings).start();
  }

  public static KafkaBackend kafka(StartContext context, Map<String, String> settings) {
    KafkaListeners listeners = KafkaListeners.startingWith(FreePort.next());
    GenericContainer<?> container =
        container(
            kafkaImage(),
            Map.of(
                listeners.clients(),
                listeners.clients(),
                listeners.proxied(),
                listeners.proxied()));
    ServerOptions.over(listeners.settings("0.0.0.0"), settings)
        .forEach((key, value) -> container.withEnv(kafkaVariable(key), value));
    container.withEnv("KAFKA_HEAP_OPTS", "-Xms256m -Xmx512m");
    Probe probe =
        new KafkaProbe(
            listeners.bootstrapServers(), KafkaFactory.NAME + " " + KafkaFactory.brokerVersion());
    Server server = start(context, KafkaFactory.NAME, container, probe);
    return new KafkaBackend(server, listeners, Optional.empty(), Optional.empty());
  }

  /** The same release as without Docker, named by the pom. */
  public static String kafkaImage() {
    return "apache/kafka:" + KafkaFactory.brokerVersion();
  }

  public static MysqlBackend mysql(StartContext context, Map<String, String> settings) {
    int port = FreePort.next();
    List<String> command = new ArrayList<>(List.of("--skip-log-bin", "--skip-name-resolve"));
    settings.forEach((key, value) -> command.add("--" + key + "=" + value));
    GenericContainer<?> container =
        container(MYSQL_IMAGE, Map.of(port, MYSQL_PORT))
            .withEnv("MYSQL_ROOT_PASSWORD", ROOT_PASSWORD)
            .withEnv("MYSQL_ROOT_HOST", "%")
            .withCommand(command.toArray(String[]::new));
    URI admin = URI.create("mysql://root:%s@127.0.0.1:%d/mysql".formatted(ROOT_PASSWORD, port));
    return new MysqlBackend(
        start(context, MysqlFactory.NAME, container, new MysqlProbe(admin)), admin);
  }

  public static ServerContainer start(
      StartContext context, String name, GenericContainer<?> container, Probe probe) {
    context.starting(name, "Docker, " + container.getDockerImageName());
    ServerContainer server = new ServerContainer(name, container, probe);
    try {
      server.start();
      return server;
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  /** The engine would give a restarted container other ports, so they are chosen here. */
  public static GenericContainer<?> container(String image, Map<Integer, Integer> ports) {
    List<ExposedPort> exposed = ports.values().stream().map(ExposedPort::tcp).toList();
    List<PortBinding> bindings =
        ports.entrySet().stream()
            .map(entry -> PortBinding.parse("127.0.0.1:" + entry.getKey() + ":" + entry.getValue()))
            .toList();
    return new GenericContainer<>(image)
        .waitingFor(new NoWait())
        .withCreateContainerCmdModifier(
            create -> {
              HostConfig host = create.getHostConfig();
              create
                  .withExposedPorts(exposed)
                  .withHostConfig(
                      (host == null ? HostConfig.newHostConfig() : host)
                          .withPortBindings(bindings));
            });
  }

  /** The image's spelling of a broker setting. */
  private static String kafkaVariable(String key) {
    return "KAFKA_" + key.toUpperCase(Locale.ROOT).replace('.', '_');
  }

  /** No wait strategy, since each server is asked by its own probe. */
  public static final class NoWait extends AbstractWaitStrategy {
    @Override
    protected void waitUntilReady() {
      // Ready as soon as it runs.
    }
  }
}
