package io.sluice.testkit.kafka;

import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.StartContext;
import io.sluice.testkit.process.Workspace;
import io.sluice.testkit.server.BackendException;
import io.sluice.testkit.server.DockerServers;
import io.sluice.testkit.server.NamedServer;
import io.sluice.testkit.server.Server;
import io.sluice.testkit.server.ServerFactory;
import io.sluice.testkit.server.ServerOptions;
import io.sluice.testkit.server.ServerProcess;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Starts or finds a Kafka broker. Without Docker it always runs in a JVM of its own: the broker's
 * jars conflict with the tests' class path.
 */
public final class KafkaFactory implements ServerFactory<KafkaBackend> {
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
  private static final Pattern BROKER_JAR = Pattern.compile("kafka_2\\.13-([0-9.]+)\\.jar");

  /** Set by the tests, whose brokers do not live long enough for the second compiler to pay. */
  private static final String BRIEF = "sluice.test.brief";

  private static final List<String> JVM_FLAGS =
      List.of(
          "-Xms256m",
          "-Xmx512m",
          "-XX:+UseSerialGC",
          "-Dlog4j2.configurationFile=classpath:kafka-log4j2.properties");

  private final StartContext context;

  public KafkaFactory(StartContext context) {
    this.context = context;
  }

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
    String classPath = brokerClassPath();
    String version = NAME + " " + brokerVersion();
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
              var command = command(classPath, writeProperties(folder, data, settings));
              var probe = new KafkaProbe(listeners.get().bootstrapServers(), version);
              return new ServerProcess.Launch(NAME, "embedded", folder, command, port, probe);
            });
    Workspace.cached(format, kept -> copyFormat(data, kept));
    return new KafkaBackend(
        server,
        listeners.get(),
        Optional.of(data),
        Optional.of(nodeId -> startPeer(nodeId, classPath, listeners.get())));
  }

  private ServerProcess startPeer(int nodeId, String classPath, KafkaListeners first) {
    Path folder = context.folderOf("kafka-peer-" + UUID.randomUUID());
    Path data = Folders.create(folder.resolve("data"));
    return ServerProcess.startOnFreePort(
        port -> {
          var listeners = KafkaListeners.startingWith(port);
          var settings = listeners.peerSettings(nodeId, first);
          var command = command(classPath, writeProperties(folder, data, settings));
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
    String classPath = brokerClassPath();
    Matcher jar = BROKER_JAR.matcher(classPath);
    if (!jar.find()) {
      throw new BackendException("no broker on the class path " + classPath);
    }
    return jar.group(1);
  }

  private static String brokerClassPath() {
    Path file = Workspace.root().resolve("kafka.classpath");
    try {
      return Files.readString(file).strip().replaceAll("\\s*\\R\\s*", File.pathSeparator);
    } catch (IOException e) {
      throw new BackendException(
          "the broker's class path is missing, run 'mvn test-compile' once: " + file, e);
    }
  }

  private static List<String> command(String brokerClassPath, Path properties) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM_FLAGS);
    if (Boolean.getBoolean(BRIEF)) {
      command.add("-XX:TieredStopAtLevel=1");
    }
    command.addAll(List.of("-cp", ownClasses() + File.pathSeparator + brokerClassPath));
    command.addAll(List.of(KafkaServerMain.class.getName(), properties.toString()));
    return command;
  }

  private static Path ownClasses() {
    try {
      return Path.of(
          KafkaServerMain.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Further listeners do not replace those that the tests need. */
  private static void add(Properties properties, String key, String value) {
    properties.merge(key, value, (own, more) -> LISTS.contains(key) ? own + "," + more : more);
  }

  private Path writeProperties(Path folder, Path data, Map<String, String> settings) {
    Properties properties = new Properties();
    properties.putAll(settings);
    properties.put("log.dirs", data.toString());
    properties.putAll(SETTINGS);
    context.options().kafka().forEach((key, value) -> add(properties, key, value));
    Path file = folder.resolve("server.properties");
    try (Writer writer = Files.newBufferedWriter(file)) {
      properties.store(writer, null);
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
