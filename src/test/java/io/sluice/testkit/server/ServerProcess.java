package io.sluice.testkit.server;

import io.sluice.testkit.process.FreePort;
import io.sluice.testkit.process.Signals;
import io.sluice.testkit.process.Watchdog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** A server as a process of the tests, started directly, so that its process id is the server's. */
public final class ServerProcess implements Server {
  /**
   * What to run: {@code folder} is the working directory and gets the log, {@code origin} says
   * where the program comes from.
   */
  public record Launch(
      String name, String origin, Path folder, List<String> command, int port, Probe probe) {}

  private static final Duration START_LIMIT = Duration.ofSeconds(120);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
  private static final Duration KILL_LIMIT = Duration.ofSeconds(10);
  private static final int PORT_ATTEMPTS_MAX = 3;
  private static final int LOG_TAIL_LINES = 40;

  private final Launch launch;
  private final Path log;
  private Process process;
  private String version = "";

  ServerProcess(Launch launch) {
    this.launch = launch;
    this.log = launch.folder().resolve("server.log");
  }

  /**
   * Starts what {@code onPort} makes; again on another port if the first was taken in the meantime.
   */
  public static ServerProcess startOnFreePort(IntFunction<Launch> onPort) {
    for (int attempt = 1; ; attempt++) {
      ServerProcess server = new ServerProcess(onPort.apply(FreePort.next()));
      try {
        server.start();
        return server;
      } catch (BackendException e) {
        server.close();
        if (!e.portTaken() || attempt == PORT_ATTEMPTS_MAX) {
          throw e;
        }
      }
    }
  }

  public int port() {
    return launch.port();
  }

  @Override
  public synchronized void start() {
    if (running()) {
      throw new IllegalStateException(launch.name() + " is running already");
    }
    try {
      process =
          Watchdog.launch(
              new ProcessBuilder(launch.command())
                  .directory(launch.folder().toFile())
                  .redirectErrorStream(true)
                  .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile())));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + launch.command().get(0), e);
    }
    version = launch.probe().await(launch.name(), START_LIMIT, process::isAlive, this::logTail);
    if (!process.isAlive()) {
      throw new BackendException(
          launch.name() + " ended, yet something answers on its port." + logTail());
    }
  }

  @Override
  public String describe() {
    return version + " (" + launch.origin() + ")";
  }

  @Override
  public boolean killable() {
    return true;
  }

  @Override
  public synchronized boolean running() {
    return process != null && process.isAlive();
  }

  @Override
  public synchronized void stop() {
    if (!running()) {
      return;
    }
    resume();
    process.destroy();
    if (!ended(STOP_LIMIT)) {
      String tail = logTail();
      kill();
      throw new BackendException(
          "%s did not stop within %s s and was killed.%s"
              .formatted(launch.name(), STOP_LIMIT.toSeconds(), tail));
    }
  }

  @Override
  public synchronized void kill() {
    if (process == null) {
      return;
    }
    process.destroyForcibly();
    if (!ended(KILL_LIMIT)) {
      throw new BackendException(launch.name() + " still runs after kill -9, pid " + process.pid());
    }
  }

  @Override
  public void pause() {
    Signals.pause(pid());
  }

  @Override
  public void resume() {
    Signals.resume(pid());
  }

  @Override
  public synchronized long pid() {
    if (!running()) {
      throw new IllegalStateException(launch.name() + " is not running");
    }
    return process.pid();
  }

  @Override
  public void close() {
    kill();
  }

  private boolean ended(Duration limit) {
    try {
      return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private BackendException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new BackendException("interrupted while waiting for " + launch.name(), e);
  }

  private String logTail() {
    try {
      List<String> lines =
          new String(Files.readAllBytes(log), StandardCharsets.UTF_8).lines().toList();
      int from = Math.max(0, lines.size() - LOG_TAIL_LINES);
      return " The end of its log:\n" + String.join("\n", lines.subList(from, lines.size()));
    } catch (IOException e) {
      return " It has no log: " + e.getMessage();
    }
  }
}
