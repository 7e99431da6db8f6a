package io.sluice.demo;

import io.sluice.testkit.process.ProgressBar;
import io.sluice.testkit.process.Screen;
import io.sluice.testkit.process.StartListener.State;
import io.sluice.testkit.server.Backends;
import io.sluice.testkit.site.HttpCaller;
import io.sluice.testkit.site.SluiceProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** All processes of the demo. They end with it, however it ends. */
final class DemoServers implements AutoCloseable {
  static final int HTTP_PORT = 8080;
  static final int ADMIN_PORT = 8081;
  private static final int SERVERS = 3;
  private static final Path JAR = Path.of("target", "sluice.jar");
  private static final List<String> JVM = List.of("-Xmx768m");

  /** {@code -Dservice="java ... -jar sluice.jar"}: another command that starts the service. */
  private static final String COMMAND = System.getProperty("service", "");

  private static final Path FOLDER = Path.of("target", "demo");

  private final Screen screen;
  private final Map<String, State> states = new LinkedHashMap<>();
  private Backends backends;
  private String database;
  private SluiceProcess service;

  DemoServers(Screen screen) {
    this.screen = screen;
  }

  /** Fails where a prerequisite of the whole demo is missing. */
  void requireEverything() {
    if (COMMAND.isBlank() && !Files.exists(JAR)) {
      throw new DemoException("" + JAR + " does not exist; run mvn -Pdemo, which builds it");
    }
    requireFree(HTTP_PORT);
    requireFree(ADMIN_PORT);
  }

  @SuppressWarnings("try") // The bar is a resource that is only closed.
  void startBackends() {
    Backends started;
    try (var bar = ProgressBar.show(screen, "servers", SERVERS, this::ready, this::statesText)) {
      started = Backends.start(FOLDER, this::onChange);
    }
    keep(started);
    started
        .all()
        .forEach(backend -> screen.line("    %-6s %s", backend.name(), backend.describe()));
  }

  SluiceProcess startService(HttpCaller caller) {
    database = backends.newLedger();
    var settings =
        Map.of(
            "SLUICE_HTTP_PORT", String.valueOf(HTTP_PORT),
            "SLUICE_ADMIN_PORT", String.valueOf(ADMIN_PORT),
            "SLUICE_REDIS_URI", backends.redis().uri(),
            "SLUICE_KAFKA_BOOTSTRAP_SERVERS", backends.kafka().bootstrapServers(),
            "SLUICE_MYSQL_URI", database);
    SluiceProcess started =
        COMMAND.isBlank()
            ? SluiceProcess.ofJar("demo", JAR, JVM, settings, caller)
            : SluiceProcess.ofCommand("demo", COMMAND, settings, caller);
    keep(started);
    started.start().awaitReady();
    return started;
  }

  String database() {
    return database;
  }

  String redis() {
    return backends.redis().uri();
  }

  /** Shuts the service down, then the servers. */
  @Override
  public synchronized void close() {
    if (service != null && service.isAlive()) {
      service.terminate();
    }
    if (backends != null) {
      backends.close();
      backends = null;
    }
  }

  private synchronized void keep(Backends started) {
    backends = started;
  }

  private synchronized void keep(SluiceProcess started) {
    service = started;
  }

  private synchronized void onChange(String name, State state, String detail) {
    states.put(name, state);
  }

  private synchronized long ready() {
    return states.values().stream().filter(State.READY::equals).count();
  }

  private synchronized String statesText() {
    return states.entrySet().stream()
        .map(entry -> entry.getKey() + " " + entry.getValue().name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", "));
  }

  private static void requireFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(port));
    } catch (IOException e) {
      throw new DemoException(
          "port %d is taken (%s); the demo needs %d and %d"
              .formatted(port, e.getMessage(), HTTP_PORT, ADMIN_PORT));
    }
  }
}
