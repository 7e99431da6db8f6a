package io.sluice.testkit.site;

import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.FreePort;
import io.sluice.testkit.process.Signals;
import io.sluice.testkit.process.Watchdog;
import io.sluice.testkit.process.Workspace;
import io.vertx.core.json.JsonObject;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * One instance of the service in a JVM of its own that ends with this one. Its output goes to a
 * file below the testkit's folder.
 */
public final class SluiceProcess implements AutoCloseable {
  /** How an instance ended. */
  public record Exit(int code, Duration took) {}

  /** A main class of the test sources, and its system properties. */
  public record TestMain(Class<?> type, Map<String, String> properties) {}

  private static final String MAIN = "io.sluice.Main";

  /** The JVM options of instances that live as long as a test. */
  static final List<String> BRIEF_JVM =
      List.of("-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private static final Duration READY_LIMIT = Duration.ofSeconds(60);
  private static final Duration EXIT_LIMIT = Duration.ofSeconds(30);
  private static final Duration POLL_LIMIT = Duration.ofSeconds(1);
  private static final int POLL_MS = 50;
  private static final int LOG_TAIL_LINES = 60;

  private final String name;
  private final List<String> program;
  private final Map<String, String> settings;
  private final HttpCaller caller;
  private final Path log;
  private final List<String> arguments = new ArrayList<>();
  private Path config = Path.of("conf", "sluice.yaml");
  private Process process;

  private SluiceProcess(
      String name, List<String> program, Map<String, String> settings, HttpCaller caller) {
    this.name = name;
    this.program = program;
    this.settings = new TreeMap<>(settings);
    SiteDefaults.ofEachInstance().forEach(this.settings::putIfAbsent);
    this.settings.putIfAbsent("SLUICE_HTTP_PORT", String.valueOf(FreePort.next()));
    this.settings.putIfAbsent("SLUICE_ADMIN_PORT", String.valueOf(FreePort.next()));
    this.caller = caller;
    this.log = Folders.create(Workspace.root().resolve("logs")).resolve(name + ".log");
    Folders.delete(log);
  }

  /**
   * The compiled classes, configured by {@code conf/sluice.yaml} and these {@code SLUICE_}
   * variables; ports that they do not name are free ones.
   */
  static SluiceProcess ofClasses(String name, Map<String, String> settings, HttpCaller caller) {
    return ofClasses(name, BRIEF_JVM, settings, caller);
  }

  /** The same with another main class of the test sources. */
  public static SluiceProcess ofTestClass(
      String name, TestMain main, Map<String, String> settings, HttpCaller caller) {
    var options = new ArrayList<>(BRIEF_JVM);
    // The service's own logging configuration, not that of the tests.
    options.add("-Dlogback.configurationFile=logback.xml");
    main.properties().forEach((key, value) -> options.add("-D" + key + "=" + value));
    var what = List.of("-cp", ServiceJvm.classPathOfTests(), main.type().getName());
    return new SluiceProcess(name, ServiceJvm.command(options, what), settings, caller);
  }

  /** The same with JVM options, for benchmarks. */
  public static SluiceProcess ofClasses(
      String name, List<String> jvmOptions, Map<String, String> settings, HttpCaller caller) {
    var what = List.of("-cp", ServiceJvm.classPath(), MAIN);
    return new SluiceProcess(name, ServiceJvm.command(jvmOptions, what), settings, caller);
  }

  /** The fat jar, configured in the same way. */
  public static SluiceProcess ofJar(
      String name,
      Path jar,
      List<String> jvmOptions,
      Map<String, String> settings,
      HttpCaller caller) {
    var what = List.of("-jar", jar.toString());
    return new SluiceProcess(name, ServiceJvm.command(jvmOptions, what), settings, caller);
  }

  /** The same by a command of the caller's, such as that of an image; its words have no blanks. */
  public static SluiceProcess ofCommand(
      String name, String command, Map<String, String> settings, HttpCaller caller) {
    var program = new ArrayList<>(List.of(command.trim().split("\\s+")));
    return new SluiceProcess(name, program, settings, caller);
  }

  /** With a configuration file other than the one that the project ships. */
  public SluiceProcess configuredBy(Path file) {
    config = file;
    return this;
  }

  /** With this text in place of one of the service's own resources, such as a script. */
  public SluiceProcess withResource(String path, String text) {
    int classPath = program.indexOf("-cp") + 1;
    program.set(
        classPath, ServiceJvm.behind(name + "-resources", path, text, program.get(classPath)));
    return this;
  }

  /** With these additional arguments. */
  public SluiceProcess withArguments(String... more) {
    arguments.addAll(List.of(more));
    return this;
  }

  public String name() {
    return name;
  }

  /** The address of the public port, such as {@code http://127.0.0.1:20123}. */
  public String url() {
    return SiteDefaults.url(settings, "SLUICE_HTTP_");
  }

  public String adminUrl() {
    return SiteDefaults.url(settings, "SLUICE_ADMIN_");
  }

  /** Sets a {@code SLUICE_} variable from the next start on. */
  public synchronized SluiceProcess setting(String variable, Object value) {
    settings.put(variable, String.valueOf(value));
    return this;
  }

  /** Starts the JVM and returns at once. */
  public synchronized SluiceProcess start() {
    if (isAlive()) {
      throw new IllegalStateException(name + " is running already");
    }
    var command = new ArrayList<>(program);
    command.addAll(1, ServiceArchive.options(program));
    command.addAll(List.of("--config", config.toString()));
    command.addAll(arguments);
    var builder =
        new ProcessBuilder(command)
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().keySet().removeIf(key -> key.startsWith("SLUICE_"));
    builder.environment().putAll(settings);
    try {
      process = Watchdog.launch(builder);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + name, e);
    }
    return this;
  }

  public synchronized boolean isAlive() {
    return process != null && process.isAlive();
  }

  /** The process id of the running instance. */
  public synchronized long pid() {
    return process.pid();
  }

  /** The answer of {@code /readyz} now; status 0 where the management port does not answer. */
  public Answer readiness() {
    return caller.ask(Call.get(adminUrl() + "/readyz").within(POLL_LIMIT));
  }

  /** What {@code /readyz} says of one of its parts now. */
  public JsonObject part(String name) {
    return readiness().json().getJsonObject("parts").getJsonObject(name);
  }

  public SluiceProcess awaitReady() {
    return awaitReady(READY_LIMIT);
  }

  /** Returns once {@code /readyz} is 200. */
  public SluiceProcess awaitReady(Duration limit) {
    long endNs = System.nanoTime() + limit.toNanos();
    Answer last = readiness();
    while (last.status() != 200) {
      if (!isAlive()) {
        throw new AssertionError(name + " ended before it was ready." + logTail());
      }
      if (System.nanoTime() > endNs) {
        throw new AssertionError(
            "%s is not ready after %s: %s%s".formatted(name, limit, last, logTail()));
      }
      isDeadWithin(Duration.ofMillis(POLL_MS));
      last = readiness();
    }
    return this;
  }

  /** Sends SIGTERM; returns how the process ended. */
  public Exit terminate() {
    long startNs = System.nanoTime();
    process.destroy();
    return awaitExit(startNs);
  }

  /** Sends SIGTERM without waiting for the end. */
  public void askToEnd() {
    process.destroy();
  }

  /** Waits for an end of its own accord. */
  public Exit awaitExit() {
    return awaitExit(System.nanoTime());
  }

  /** SIGKILL. */
  public void kill() {
    if (process != null) {
      process.destroyForcibly();
      isDeadWithin(EXIT_LIMIT);
    }
  }

  public int exitCode() {
    return process.exitValue();
  }

  /** SIGSTOP: its connections stay open and nothing answers. */
  public void pause() {
    Signals.pause(process.pid());
  }

  public void resume() {
    Signals.resume(process.pid());
  }

  /** Shuts it down and starts it again: same ports, same settings. */
  public SluiceProcess restart() {
    terminate();
    return start().awaitReady();
  }

  /** All of its output so far. */
  public String log() {
    try {
      return Files.exists(log) ? Files.readString(log) : "(no log)";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public Path logFile() {
    return log;
  }

  @Override
  public void close() {
    kill();
  }

  private Exit awaitExit(long startNs) {
    if (!isDeadWithin(EXIT_LIMIT)) {
      String tail = logTail();
      kill();
      throw new AssertionError("%s did not end in %s.%s".formatted(name, EXIT_LIMIT, tail));
    }
    return new Exit(process.exitValue(), Duration.ofNanos(System.nanoTime() - startNs));
  }

  /** Whether it has ended within that time. */
  public boolean isDeadWithin(Duration limit) {
    try {
      return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for " + name, e);
    }
  }

  private String logTail() {
    List<String> lines = log().lines().toList();
    int from = Math.max(0, lines.size() - LOG_TAIL_LINES);
    return " The end of " + log + ":\n" + String.join("\n", lines.subList(from, lines.size()));
  }
}
