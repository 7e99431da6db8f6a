package io.sluice.testkit.site;

import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.Watchdog;
import io.sluice.testkit.process.Workspace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.CRC32;

/**
 * The classes of all libraries in an archive of the JVM, from which instances of tests take them:
 * their start takes 1.3 instead of 1.8 seconds of processor time. The first instance of a new
 * checkout notes which classes it loads; of these the archive is made once it has ended.
 */
final class ServiceArchive {
  /** Set by the tests; benchmarks do without. */
  private static final boolean BRIEF = Boolean.getBoolean("sluice.test.brief");

  private static final String ARCHIVE = "classes.jsa";
  private static final String LIST = "classes.lst";
  private static final int LIMIT_S = 60;

  /** The service's own classes are in a folder, of which the JVM archives nothing. */
  private static final String OWN_CLASSES = "io/sluice/";

  /** Whether an instance of this JVM has been told to note its classes. */
  private static final AtomicBoolean NOTING = new AtomicBoolean();

  private ServiceArchive() {}

  /** The options of an instance that is about to start with this command. */
  static List<String> options(List<String> command) {
    if (!BRIEF || !beginsWithLibraries(command)) {
      return List.of();
    }
    Path archive = Workspace.cacheOf(name()).resolve(ARCHIVE);
    if (Files.exists(archive)) {
      return List.of("-XX:SharedArchiveFile=" + archive);
    }
    return NOTING.compareAndSet(false, true)
        ? List.of("-XX:DumpLoadedClassList=" + noted())
        : List.of();
  }

  /** An archive fits only a class path that begins with the one it was made for. */
  private static boolean beginsWithLibraries(List<String> command) {
    return command.get(command.indexOf("-cp") + 1).startsWith(ServiceJvm.libraries());
  }

  /** To be called when instances have ended. */
  static void make() {
    Path list = noted();
    if (Files.exists(list)) {
      Workspace.cached(name(), folder -> make(list, folder));
      Folders.delete(list);
    }
  }

  private static Path noted() {
    return Workspace.root().resolve("%s.%d".formatted(LIST, ProcessHandle.current().pid()));
  }

  private static void make(Path list, Path folder) throws IOException {
    Path complete = folder.resolve(LIST);
    Files.write(complete, usable(Files.readAllLines(list)));
    Path archive = folder.resolve(ARCHIVE);
    List<String> options =
        List.of(
            "-Xshare:dump",
            "-XX:SharedClassListFile=" + complete,
            "-XX:SharedArchiveFile=" + archive);
    Process maker =
        Watchdog.launch(
            new ProcessBuilder(ServiceJvm.command(options, List.of("-cp", ServiceJvm.libraries())))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("archive.log").toFile()));
    maker.onExit().completeOnTimeout(maker, LIMIT_S, TimeUnit.SECONDS).join();
    if (maker.isAlive() || maker.exitValue() != 0) {
      maker.destroyForcibly();
      Folders.delete(archive);
      System.out.println("instances start without an archive of classes: see " + folder);
    }
  }

  /** The last line may have been cut off. */
  private static List<String> usable(List<String> lines) {
    return lines.stream()
        .limit(Math.max(0, lines.size() - 1))
        .filter(line -> !line.contains(OWN_CLASSES))
        .toList();
  }

  /** Another JVM, or other libraries, need another archive. */
  private static String name() {
    CRC32 sum = new CRC32();
    sum.update(ServiceJvm.libraries().getBytes(StandardCharsets.UTF_8));
    return "service-classes-%s-%s"
        .formatted(System.getProperty("java.runtime.version"), Long.toHexString(sum.getValue()));
  }
}
