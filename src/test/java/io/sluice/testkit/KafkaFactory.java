package io.sluice.testkit;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Comes by a Kafka broker. Without Docker it is always a JVM of its own: the broker's jars clash
 * with ours.
 */
final class KafkaFactory implements ServerFactory<KafkaBackend> {
  static final String NAME = "Kafka";

  /** What a broker needs to be quick and small in tests, wherever it runs. */
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
          // After kill -9 the new broker is let in only when the old one's session has run out.
          Map.entry("broker.session.timeout.ms", "2000"),
          Map.entry("broker.heartbeat.interval.ms", "400"),
          // The cleaner would take a quarter of the small heap.
          Map.entry("log.cleaner.dedupe.buffer.size", "4194304"),
          Map.entry("log.segment.delete.delay.ms", "1000"));

  private static final String VARIABLE = "SLUICE_TEST_KAFKA";
  private static final Pattern BROKER_JAR = Pattern.compile("kafka_2\\.13-([0-9.]+)\\.jar");
  private static final List<String> JVM_FLAGS =
      List.of("-Xms256m", "-Xmx512m", "-XX:+UseSerialGC", "-Xshare:auto", "-Dlog4j2.level=WARN");

  private final StartContext context;

  KafkaFactory(StartContext context) {
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
    Matcher jar = BROKER_JAR.matcher(classPath);
    String version = jar.find() ? NAME + " " + jar.group(1) : NAME;
    Path folder = context.folderOf("kafka");
    int[] chosenPort = new int[1];
    Server server =
        ServerProcess.startOnFreePort(
            port -> {
              chosenPort[0] = port;
              context.starting(NAME, "embedded, port " + port);
              var command = command(classPath, writeProperties(folder, port));
              var probe = new KafkaProbe("127.0.0.1:" + port, version);
              return new ServerProcess(
                  new ServerProcess.Launch(NAME, "embedded", folder, command, probe));
            });
    return new KafkaBackend(server, "127.0.0.1:" + chosenPort[0]);
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

  private Path writeProperties(Path folder, int port) {
    int controllerPort = FreePort.next();
    Properties properties = new Properties();
    properties.putAll(ServerOptions.over(SETTINGS, context.options().kafka()));
    properties.put("process.roles", "broker,controller");
    properties.put("node.id", "1");
    properties.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
    properties.put("controller.listener.names", "CONTROLLER");
    properties.put(
        "listeners",
        "PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d".formatted(port, controllerPort));
    properties.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port);
    properties.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    properties.put("log.dirs", folder.resolve("data").toString());
    Path file = folder.resolve("server.properties");
    try (Writer writer = Files.newBufferedWriter(file)) {
      properties.store(writer, null);
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
