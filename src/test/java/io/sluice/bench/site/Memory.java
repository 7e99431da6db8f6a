package io.sluice.bench.site;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The memory use of a JVM. */
public final class Memory {
  private static final String RESIDENT = "VmRSS:";
  private static final Pattern GENERATION = Pattern.compile("Gen +total \\d+K, used (\\d+)K");

  private Memory() {}

  /** As text: the live heap after a collection, and the resident set of the process. */
  public static String of(long pid) {
    long liveKib = liveHeapKib(pid);
    return "live heap %s, resident %s"
        .formatted(liveKib == 0 ? "unknown" : inMib(liveKib), resident(pid));
  }

  /** The live heap after a collection; 0 where the JVM does not tell. */
  public static double liveHeapMib(long pid) {
    return liveHeapKib(pid) / 1024.0;
  }

  private static long liveHeapKib(long pid) {
    jcmd(pid, "GC.run");
    Matcher used = GENERATION.matcher(jcmd(pid, "GC.heap_info"));
    long kib = 0;
    while (used.find()) {
      kib += Long.parseLong(used.group(1));
    }
    return kib;
  }

  private static String jcmd(long pid, String command) {
    Path program = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    try {
      Process run =
          new ProcessBuilder(program.toString(), String.valueOf(pid), command)
              .redirectErrorStream(true)
              .start();
      return new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException noJdk) {
      return "";
    }
  }

  /** Only Linux shows it. */
  private static String resident(long pid) {
    try {
      return Files.readAllLines(Path.of("/proc", String.valueOf(pid), "status")).stream()
          .filter(line -> line.startsWith(RESIDENT))
          .map(line -> inMib(Long.parseLong(line.replaceAll("\\D", ""))))
          .findFirst()
          .orElse("unknown");
    } catch (IOException notLinux) {
      return "unknown";
    }
  }

  private static String inMib(long kib) {
    return "%,d MiB".formatted(kib / 1024);
  }
}
