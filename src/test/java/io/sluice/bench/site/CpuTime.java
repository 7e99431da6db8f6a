package io.sluice.bench.site;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Processor time of this JVM and of the servers it started, by program. */
public final class CpuTime {
  private final Map<String, Long> usBefore = read();

  /** As text: microseconds per order used by each program since this was created. */
  public String perOrder(long orders) {
    return read().entrySet().stream()
        .map(
            program ->
                String.format(
                    Locale.ROOT,
                    "%s %.1f",
                    program.getKey(),
                    (program.getValue() - usBefore.getOrDefault(program.getKey(), 0L))
                        / (double) orders))
        .collect(Collectors.joining(", ", "CPU us/order: ", ""));
  }

  private static Map<String, Long> read() {
    Map<String, Long> us = new TreeMap<>();
    ProcessHandle self = ProcessHandle.current();
    Stream.concat(Stream.of(self), self.descendants())
        .forEach(process -> us.merge(name(process, self), micros(process), Long::sum));
    return us;
  }

  private static String name(ProcessHandle process, ProcessHandle self) {
    if (process.pid() == self.pid()) {
      return "sluice";
    }
    String program =
        process.info().command().map(path -> Path.of(path).getFileName().toString()).orElse("?");
    return program.equals("java") ? "kafka" : program;
  }

  private static long micros(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1_000;
  }
}
