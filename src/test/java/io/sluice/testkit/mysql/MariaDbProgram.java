package io.sluice.testkit.mysql;

import io.sluice.testkit.process.Executables;
import io.sluice.testkit.process.Watchdog;
import io.sluice.testkit.server.BackendException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A MariaDB server program with the files it needs, installed on this machine or unpacked from a
 * jar.
 */
record MariaDbProgram(String id, Path program, Path base, Path share) {
  private static final int BOOTSTRAP_LIMIT_S = 120;

  /** All three are needed, in this order. The names changed with MariaDB 11. */
  private static final List<List<String>> SYSTEM_TABLES =
      List.of(
          List.of("mariadb_system_tables.sql", "mysql_system_tables.sql"),
          List.of("mariadb_performance_tables.sql", "mysql_performance_tables.sql"),
          List.of("mariadb_system_tables_data.sql", "mysql_system_tables_data.sql"));

  static Optional<MariaDbProgram> ofSystem() {
    return Executables.find("mariadbd").flatMap(MariaDbProgram::ofSystem);
  }

  private static Optional<MariaDbProgram> ofSystem(Path program) {
    try {
      Path base = program.toRealPath().getParent().getParent();
      String id = "mariadb-system-" + Files.getLastModifiedTime(program).toMillis();
      return Stream.of("share/mariadb", "share/mysql", "share")
          .map(base::resolve)
          .filter(share -> systemTables(share).size() == SYSTEM_TABLES.size())
          .map(share -> new MariaDbProgram(id, program, base, share))
          .findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static MariaDbProgram unpacked(String id, Path base) {
    return new MariaDbProgram(id, base.resolve("bin/mariadbd"), base, base.resolve("share"));
  }

  /** The beginning of each command line that runs this server on that data folder. */
  List<String> command(Path data) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(program.toString(), "--no-defaults", "--basedir=" + base));
    command.addAll(List.of("--lc-messages-dir=" + share, "--datadir=" + data));
    command.addAll(List.of("--innodb-undo-tablespaces=0", "--log-warnings=1"));
    // It refuses to run as root without this option.
    if ("root".equals(System.getProperty("user.name"))) {
      command.add("--user=root");
    }
    return command;
  }

  /**
   * Makes a data folder with the system tables and a root user without password.
   *
   * <p>Does what mariadb-install-db does, which needs programs that a minimal machine may lack.
   */
  void bootstrap(Path folder) throws IOException {
    List<String> command = new ArrayList<>(command(folder));
    command.addAll(List.of("--bootstrap", "--skip-log-bin", "--innodb-log-file-size=16M"));
    command.addAll(List.of("--enforce-storage-engine=", "--max-allowed-packet=8M"));
    Path log = folder.resolveSibling(id + "-bootstrap.log");
    Process process =
        Watchdog.launch(
            new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()));
    try (OutputStream sql = process.getOutputStream()) {
      String head = "create database mysql;\nuse mysql;\nSET @auth_root_socket=NULL;\n";
      sql.write(head.getBytes(StandardCharsets.UTF_8));
      for (Path file : systemTables(share)) {
        Files.copy(file, sql);
      }
    } catch (IOException e) {
      // It ended early; its exit value and log show why.
    }
    try {
      if (process.waitFor(BOOTSTRAP_LIMIT_S, TimeUnit.SECONDS) && process.exitValue() == 0) {
        return;
      }
      process.destroyForcibly();
      throw new BackendException("making a MariaDB data folder failed:\n" + Files.readString(log));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BackendException("interrupted while MariaDB made a data folder", e);
    }
  }

  private static List<Path> systemTables(Path share) {
    return SYSTEM_TABLES.stream()
        .flatMap(names -> names.stream().map(share::resolve).filter(Files::exists).limit(1))
        .toList();
  }
}
