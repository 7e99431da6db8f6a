package io.sluice.testkit.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the programs installed on this machine. */
public final class Executables {
  /** Servers are installed here, which is not on an ordinary user's PATH. */
  private static final List<String> SERVER_FOLDERS = List.of("/usr/sbin", "/usr/local/sbin");

  private Executables() {}

  public static Optional<Path> find(String program) {
    String path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
    return Stream.concat(Stream.of(path.split(File.pathSeparator)), SERVER_FOLDERS.stream())
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, program).toAbsolutePath())
        .filter(Files::isExecutable)
        .findFirst();
  }
}
