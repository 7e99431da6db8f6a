package io.sluice.testkit.process;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A program of the test sources in a JVM of its own that ends with this one. Its output goes to a
 * file.
 */
public record ChildJvm(String name, Process process, Path log) implements AutoCloseable {
  private static final int POLL_MS = 20;
  private static final Duration EXIT_LIMIT = Duration.ofSeconds(10);

  /** Starts the program with the class path of this JVM and returns at once. */
  public static ChildJvm start(
      String name, List<String> jvmOptions, Class<?> program, List<String> arguments) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(arguments);
    Path log = Folders.create(Workspace.root().resolve("logs")).resolve(name + ".log");
    Folders.delete(log);
    var builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.to(new File(log.toString())));
    try {
      return new ChildJvm(name, Watchdog.launch(builder), log);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + name, e);
    }
  }

  public long pid() {
    return process.pid();
  }

  /** Waits for a line that begins with this word; returns the rest of the line. */
  public String awaitLine(String word, Duration limit) {
    long endNs = System.nanoTime() + limit.toNanos();
    Optional<String> line = find(word);
    while (line.isEmpty()) {
      if (System.nanoTime() > endNs || (!process.isAlive() && find(word).isEmpty())) {
        throw new AssertionError(
            "%s did not print \"%s\" within %s:%n%s".formatted(name, word, limit, output()));
      }
      ended(Duration.ofMillis(POLL_MS));
      line = find(word);
    }
    return line.get();
  }

  /** All of its output so far. */
  public String output() {
    try {
      return new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** SIGSTOP: its connections stay open and nothing answers. */
  public void pause() {
    Signals.pause(process.pid());
  }

  public void resume() {
    Signals.resume(process.pid());
  }

  /** SIGKILL. */
  public void kill() {
    process.destroyForcibly();
    ended(EXIT_LIMIT);
  }

  @Override
  public void close() {
    process.destroy();
    if (!ended(EXIT_LIMIT)) {
      kill();
    }
  }

  /** Only complete lines count. */
  private Optional<String> find(String word) {
    String said = output();
    return said.substring(0, said.lastIndexOf('\n') + 1)
        .lines()
        .filter(line -> line.startsWith(word + " "))
        .map(line -> line.substring(word.length() + 1))
        .findFirst();
  }

  private boolean ended(Duration limit) {
    try {
      return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for " + name, e);
    }
  }
}
