package io.sluice.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How much memory a process holds. */
final class Memory {
  private static final String RESIDENT = "VmRSS:";

  private Memory() {}

  /** In words; only Linux tells. */
  static String of(long pid) {
    try {
      return Files.readAllLines(Path.of("/proc", String.valueOf(pid), "status")).stream()
          .filter(line -> line.startsWith(RESIDENT))
          .map(line -> line.substring(RESIDENT.length()).replace("kB", "").trim())
          .map(kib -> "resident memory %,d MiB".formatted(Long.parseLong(kib) / 1024))
          .findFirst()
          .orElse("resident memory unknown");
    } catch (IOException notLinux) {
      return "resident memory unknown";
    }
  }
}
