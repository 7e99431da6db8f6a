package io.sluice.bench.load;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Runs wrk, where it is installed, with {@code src/test/wrk/unique.lua}; it cannot keep a constant
 * rate.
 */
public final class Wrk implements Generator {
  private static final Path SCRIPT = Path.of("src", "test", "wrk", "unique.lua");

  private final Path program;

  private Wrk(Path program) {
    this.program = program;
  }

  /** Empty where wrk is not installed. */
  public static Optional<Wrk> find() {
    return Stream.of(System.getenv().getOrDefault("PATH", "/usr/bin").split(File.pathSeparator))
        .map(folder -> Path.of(folder, "wrk"))
        .filter(Files::isExecutable)
        .findFirst()
        .map(Wrk::new);
  }

  @Override
  public String name() {
    return "wrk (one thread)";
  }

  @Override
  public boolean leavesSomeUnheard() {
    return true;
  }

  @Override
  public Heard fire(LoadSpec volley) {
    ProcessBuilder builder =
        new ProcessBuilder(
            program.toString(),
            "--threads",
            "1",
            "--connections",
            String.valueOf(volley.connections()),
            "--duration",
            Math.max(1, volley.length().toSeconds()) + "s",
            "--timeout",
            "15s",
            "--script",
            SCRIPT.toString(),
            volley.url(),
            "--",
            String.valueOf(volley.firstSku()),
            volley.buyers(),
            String.valueOf(volley.skus()));
    return run(builder.redirectErrorStream(true));
  }

  private static Heard run(ProcessBuilder builder) {
    try {
      Process process = builder.start();
      try (BufferedReader output = process.inputReader()) {
        List<String> lines = output.lines().toList();
        return lines.stream()
            .filter(line -> line.startsWith(Heard.WORD + " "))
            .map(line -> Heard.parse(line.substring(Heard.WORD.length() + 1)))
            .findFirst()
            .orElseThrow(
                () -> new AssertionError("unexpected output of wrk: " + String.join("\n", lines)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
