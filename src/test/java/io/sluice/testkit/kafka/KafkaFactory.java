package io.sluice.testkit.kafka;

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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Starts or finds a Kafka broker. Without Docker it always runs in a JVM of its own: the broker's
 * jars conflict with the tests' class path.
 */
public record KafkaFactory(StartContext context) implements ServerFactory<KafkaBackend> {
  public static final String NAME = "Kafka";

  /** Settings that make a broker fast and small in tests, wherever it runs. */
  static final Map<String, String> SETTINGS =
      Map.ofEntries(
          Map.entry("auto.create.topics.enable", "false"),
          Map.entry("offsets.topic.replication.factor", "1"),
          Map.entry("offsets.topic.num.partitions", "1"),
          Map.entry("transaction.state.log.replication.factor", "1"),
          Map.entry("transaction.state.log.min.isr", "1"),
          Map.entry("transaction.state.log.num.partitions", "1"),
          Map.entry("share.coordinator.state.topic.replication.factor", "1"),
          Map.entry("share.coordinator.state.topic.min.isr", "1"),
          Map.entry("group.initial.rebalance.delay.ms", "0"),
          Map.entry("group.min.session.timeout.ms", "500"),
          // Enough for a machine with two processors that the broker shares with all other
          // processes.
          Map.entry("num.network.threads", "1"),
          Map.entry("num.io.threads", "2"),
          // After kill -9 the new broker is registered only when the old one's session has expired.
          Map.entry("broker.session.timeout.ms", "2000"),
          Map.entry("broker.heartbeat.interval.ms", "400"),
          // By default the cleaner would take a quarter of the small heap.
          Map.entry("log.cleaner.dedupe.buffer.size", "4194304"),
          Map.entry("log.segment.delete.delay.ms", "1000"));

  /** Settings to which options add. */
  private static final Set<String> LISTS =
      Set.of("listeners", "advertised.listeners", "listener.security.protocol.map");

  private static final String VARIABLE = "SLUICE_TEST_KAFKA";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Optional<KafkaBackend> named() {
    return context.variable(VARIABLE).map(this::named);
  }

  private KafkaBackend named(String bootstrapServers) {
    Server server = new NamedServer(NAME, VARIABLE, new KafkaProbe(bootstrapServers, NAME));
    server.start();
    return new KafkaBackend(server, bootstrapServers);
  }

  @Override
  public KafkaBackend inDocker() {
    return DockerServers.kafka(context, ServerOptions.over(SETTINGS, context.options().kafka()));
  }

  @Override
  public Optional<KafkaBackend> ofSystem() {
    return Optional.of(embedded());
  }

  @Override
  public KafkaBackend embedded() {
    BrokerJvm jvm = new BrokerJvm();
    jvm.prepare(made -> recordClasses(jvm, made));
    String version = NAME + " " + jvm.version();
    String format = version.toLowerCase(Locale.ROOT).replace(' ', '-') + "-format";
    Path folder = context.folderOf("kafka");
    Path data = Folders.create(folder.resolve("data"));
    Workspace.ifCached(format, cached -> Folders.copy(cached, data));
    AtomicReference<KafkaListeners> listeners = new AtomicReference<>();
    ServerProcess server =
        ServerProcess.startOnFreePort(
            port -> {
              context.starting(NAME, "embedded, port " + port);
              listeners.set(KafkaListeners.startingWith(port));
              var settings = listeners.get().settings("127.0.0.1");
              var command = jvm.command(writeProperties(folder, data, settings));
              var probe = new KafkaProbe(listeners.get().bootstrapServers(), version);
              return new ServerProcess.Launch(NAME, "embedded", folder, command, port, probe);
            });
    Workspace.cached(format, kept -> copyFormat(data, kept));
    return new KafkaBackend(
        server,
        listeners.get(),
        Optional.of(new DataFolder(data)),
        Optional.of(nodeId -> startPeer(nodeId, jvm, listeners.get())));
  }

  private ServerProcess startPeer(int nodeId, BrokerJvm jvm, KafkaListeners first) {
    Path folder = context.folderOf("kafka-peer-" + UUID.randomUUID());
    Path data = Folders.create(folder.resolve("data"));
    return ServerProcess.startOnFreePort(
        port -> {
          var listeners = KafkaListeners.startingWith(port);
          var settings = listeners.peerSettings(nodeId, first);
          var command = jvm.command(writeProperties(folder, data, settings));
          var probe = new KafkaPeer.Joined(listeners.bootstrapServers(), nodeId);
          var name = KafkaPeer.name(nodeId);
          return new ServerProcess.Launch(name, "embedded", folder, command, port, probe);
        });
  }

  /** Caches the result of formatting, which takes a second of each start and is always the same. */
  private static void copyFormat(Path data, Path kept) throws IOException {
    for (String file : List.of("bootstrap.checkpoint", "meta.properties")) {
      Files.copy(data.resolve(file), kept.resolve(file));
    }
  }

  /** The release of the broker that the build downloads. */
  public static String brokerVersion() {
    return new BrokerJvm().version();
  }

  /** A broker that lives only to have its classes archived. */
  private static void recordClasses(BrokerJvm jvm, Path folder) {
    Path data = Folders.create(folder.resolve("data"));
    ServerProcess.startOnFreePort(
            port -> {
              var listeners = KafkaListeners.startingWith(port);
              var settings = listeners.settings("127.0.0.1");
              var probe = new KafkaProbe(listeners.bootstrapServers(), NAME);
              var command =
                  jvm.recording(writeProperties(folder, data, settings, Map.of()), folder);
              return new ServerProcess.Launch(NAME, "recording", folder, command, port, probe);
            })
        .stop();
    Folders.delete(data);
  }

  /** Further listeners do not replace those that the tests need. */
  private static void add(Properties properties, String key, String value) {
    properties.merge(key, value, (own, more) -> LISTS.contains(key) ? own + "," + more : more);
  }

  private Path writeProperties(Path folder, Path data, Map<String, String> settings) {
    return writeProperties(folder, data, settings, context.options().kafka());
  }

  private static Path writeProperties(
      Path folder, Path data, Map<String, String> settings, Map<String, String> options) {
    Properties properties = new Properties();
    properties.putAll(settings);
    properties.put("log.dirs", data.toString());
    properties.putAll(SETTINGS);
    options.forEach((key, value) -> add(properties, key, value));
    Path file = folder.resolve("server.properties");
    try (Writer writer = Files.newBufferedWriter(file)) {
      properties.store(writer, null);
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
