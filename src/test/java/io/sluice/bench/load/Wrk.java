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

/** wrk with {@code src/test/wrk/unique.lua}, for saturation: it cannot keep a rate. */
public record Wrk(Path program) {
  private static final String SCRIPT = "src/test/wrk/unique.lua";

  /** Empty if wrk is not installed. */
  public static Optional<Wrk> find() {
    return Stream.of(System.getenv().getOrDefault("PATH", "/usr/bin").split(File.pathSeparator))
        .map(folder -> Path.of(folder, "wrk"))
        .filter(Files::isExecutable)
        .findFirst()
        .map(Wrk::new);
  }

  /** Sends the volley, without its rate and its payments, and waits for its end. */
  public Heard fire(LoadSpec volley) {
    ProcessBuilder builder =
        new ProcessBuilder(
            program.toString(),
            "--threads=1",
            "--connections=" + volley.connections(),
            "--duration=" + Math.max(1, volley.length().toSeconds()) + "s",
            "--timeout=15s",
            "--script=" + SCRIPT,
            volley.url(),
            "--",
            String.valueOf(volley.firstSku()),
            volley.buyers(),
            String.valueOf(volley.skus()),
            String.valueOf(volley.lines()));
    try (BufferedReader output = builder.redirectErrorStream(true).start().inputReader()) {
      List<String> lines = output.lines().toList();
      return lines.stream()
          .filter(line -> line.startsWith(Heard.WORD + " "))
          .map(line -> Heard.parse(line.substring(Heard.WORD.length())))
          .findFirst()
          .orElseThrow(
              () -> new AssertionError("unexpected output of wrk: " + String.join("\n", lines)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
