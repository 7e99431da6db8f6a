package io.sluice.testkit.process;

import io.sluice.testkit.server.BackendException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs a program to its end.
 *
 * @param folder where it runs
 * @param log gets what it prints
 * @param limit how long it may take
 * @param environment what it has beside the environment of this JVM
 */
public record ChildProgram(Path folder, Path log, Duration limit, Map<String, String> environment) {
  private static final int LOG_TAIL_LINES = 30;

  /** What it prints is in {@code target/testkit/logs}. */
  public static ChildProgram in(Path folder, String logName, Duration limit) {
    Path log = Folders.create(Workspace.root().resolve("logs")).resolve(logName + ".log");
    return new ChildProgram(
        folder, log, limit, Map.of("JAVA_HOME", System.getProperty("java.home")));
  }

  /** The same with one variable more. */
  public ChildProgram with(String variable, String value) {
    Map<String, String> all = new HashMap<>(environment);
    all.put(variable, value);
    return new ChildProgram(folder, log, limit, all);
  }

  /** Fails with this sentence, and the end of what was printed, unless the program succeeds. */
  public void run(String failure, List<String> command) {
    if (exitCode(failure, command) != 0) {
      throw new BackendException(failure + tail());
    }
  }

  /** Fails with this sentence if the program cannot be started, or does not end in time. */
  public int exitCode(String failure, List<String> command) {
    Process process = launch(failure, command);
    try {
      if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new BackendException("%s: not done after %s%s".formatted(failure, limit, tail()));
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new BackendException("interrupted", e);
    }
    return process.exitValue();
  }

  private Process launch(String failure, List<String> command) {
    var builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().putAll(environment);
    try {
      return Watchdog.launch(builder);
    } catch (IOException e) {
      throw new BackendException(failure + ". It cannot be started", e);
    }
  }

  /** The end of what was printed, and where all of it is. */
  public String tail() {
    try {
      List<String> lines = Files.readAllLines(log);
      int from = Math.max(0, lines.size() - LOG_TAIL_LINES);
      return ". The end of %s:%n%s"
          .formatted(log, String.join("\n", lines.subList(from, lines.size())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
