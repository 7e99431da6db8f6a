package io.sluice.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;

/** Copies and deletes whole folders. */
public final class Folders {
  private Folders() {}

  public static Path create(Path folder) {
    try {
      return Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Copies the contents of one folder into another. Files that vanish meanwhile were temporary;
   * sockets are not copied, since their owner creates them again.
   */
  public static void copy(Path from, Path to) {
    walk(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            Files.createDirectories(to.resolve(from.relativize(folder).toString()));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (attributes.isOther()) {
              return FileVisitResult.CONTINUE;
            }
            Path target = to.resolve(from.relativize(file).toString());
            try {
              Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
            } catch (NoSuchFileException e) {
              return FileVisitResult.CONTINUE;
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  public static void move(Path from, Path to) {
    try {
      Files.move(from, to);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes a folder and all in it; does nothing if there is none. */
  public static void delete(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    walk(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException e)
              throws IOException {
            Files.deleteIfExists(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static void walk(Path folder, SimpleFileVisitor<Path> visitor) {
    try {
      Files.walkFileTree(folder, visitor);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
