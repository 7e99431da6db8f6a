package io.sluice.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The folder in which the testkit keeps unpacked servers between runs, and the data of running
 * servers.
 */
public final class Workspace {
  private static final String FOLDER_PROPERTY = "sluice.testkit.dir";

  /** Longer than what is made takes; a release of the service takes some minutes. */
  private static final Duration MAKE_LIMIT = Duration.ofMinutes(12);

  /** Fills an empty folder. */
  @FunctionalInterface
  public interface Maker {
    void make(Path folder) throws IOException;
  }

  private Workspace() {}

  public static Path root() {
    return Path.of(System.getProperty(FOLDER_PROPERTY, "target/testkit")).toAbsolutePath();
  }

  /**
   * Returns the cached folder of that name; makes it first if it does not exist.
   *
   * <p>It is made under another name and then renamed, so a folder of the right name is always
   * complete.
   */
  @SuppressWarnings("try") // The lock is only held.
  public static Path cached(String name, Maker maker) {
    Path cache = cache();
    Path folder = cache.resolve(name);
    if (Files.exists(folder)) {
      return folder;
    }
    try (LockFile ignored = LockFile.lock(cache.resolve(name + ".lock"), MAKE_LIMIT)) {
      if (!Files.exists(folder)) {
        Path unfinished = cache.resolve(name + ".unfinished");
        Folders.delete(unfinished);
        Files.createDirectories(unfinished);
        maker.make(unfinished);
        Files.move(unfinished, folder, StandardCopyOption.ATOMIC_MOVE);
      }
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make " + folder, e);
    }
  }

  /** The cached folder of that name; it may not exist yet. */
  public static Path cacheOf(String name) {
    return cache().resolve(name);
  }

  /** Passes the cached folder of that name on, if it exists. */
  public static void ifCached(String name, Consumer<Path> use) {
    Path folder = cacheOf(name);
    if (Files.exists(folder)) {
      use.accept(folder);
    }
  }

  private static Path cache() {
    return Folders.create(root().resolve("cache"));
  }

  /**
   * Makes a folder for the data of one set of servers; deletes those left next to it by killed
   * JVMs.
   */
  @SuppressWarnings("try") // The lock is only held.
  public static RunFolder newRunFolder(Path parent) {
    Folders.create(parent);
    try (LockFile ignored = LockFile.lock(parent.resolve("all.lock"), MAKE_LIMIT)) {
      leftBehind(parent).forEach(RunFolder::deleteIfNobodyHoldsIt);
      String id = UUID.randomUUID().toString().substring(0, 8);
      return RunFolder.create(parent.resolve("run-" + id));
    }
  }

  private static List<Path> leftBehind(Path parent) {
    try (Stream<Path> children = Files.list(parent)) {
      return children
          .filter(child -> child.getFileName().toString().matches("run-[0-9a-f]{8}"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
