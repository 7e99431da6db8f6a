package io.sluice.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The text files of the project, named by their path below its root with forward slashes. */
record Repository(Path root) {
  /** Written by the build, an editor or git, so they are not checked. */
  private static final Set<String> NOT_OURS = Set.of(".git", ".idea", ".vscode", "target");

  /** All checked files below a folder; empty where it does not exist. */
  List<String> filesBelow(String folder) {
    List<String> files = new ArrayList<>();
    Path start = root.resolve(folder);
    if (!Files.exists(start)) {
      return files;
    }
    try {
      Files.walkFileTree(
          start,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
              return isOurs(path) ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
              if (isOurs(path)) {
                files.add(root.relativize(path).toString().replace('\\', '/'));
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    files.sort(null);
    return files;
  }

  List<String> filesBelow(String folder, String extension) {
    return filesBelow(folder).stream().filter(file -> file.endsWith(extension)).toList();
  }

  boolean has(String file) {
    return Files.exists(root.resolve(file));
  }

  List<String> lines(String file) {
    return text(file).lines().toList();
  }

  String text(String file) {
    try {
      return new String(Files.readAllBytes(root.resolve(file)), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isOurs(Path path) {
    Path name = path.getFileName();
    return name == null || path.equals(root) || !NOT_OURS.contains(name.toString());
  }
}
