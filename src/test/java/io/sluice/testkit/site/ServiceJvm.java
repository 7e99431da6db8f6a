package io.sluice.testkit.site;

import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.Workspace;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Builds the command line of an instance's JVM. */
final class ServiceJvm {
  /**
   * The Java from which on a JVM warns of Netty's own sockets; the fat jar's manifest allows them.
   */
  private static final int WARNS_OF_NATIVE_ACCESS = 24;

  private ServiceJvm() {}

  /** The java command of this JVM with these options and main class; the list can be extended. */
  static List<String> command(List<String> options, List<String> what) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (Runtime.version().feature() >= WARNS_OF_NATIVE_ACCESS) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    command.addAll(options);
    command.addAll(what);
    return command;
  }

  /**
   * The libraries, then the service's classes. Without the test classes, whose logging
   * configuration would take precedence over the service's.
   */
  static String classPath() {
    return libraries()
        + File.pathSeparator
        + entries(entry -> !isLibrary(entry) && !entry.endsWith("test-classes"));
  }

  /** The same with the test classes. */
  static String classPathOfTests() {
    return libraries() + File.pathSeparator + entries(entry -> !isLibrary(entry));
  }

  /** The libraries of this JVM's class path. */
  static String libraries() {
    return entries(ServiceJvm::isLibrary);
  }

  private static boolean isLibrary(String entry) {
    return entry.endsWith(".jar");
  }

  private static String entries(Predicate<String> which) {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(which)
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** The class path, preceded by a folder of this name with one resource. */
  static String behind(String folder, String path, String text, String classPath) {
    Path resources = Workspace.root().resolve(folder);
    Path file = resources.resolve(path);
    Folders.create(file.getParent());
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return resources + File.pathSeparator + classPath;
  }
}
