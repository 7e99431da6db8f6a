package io.sluice.chaos.fault;

import io.sluice.testkit.mysql.MysqlBackend;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;

/** Faults of the database: killed, paused, read-only, or put back to a backup. */
final class DatabaseBlows {
  private record Backup(Path data, long takenMs) {}

  private final MysqlBackend database;
  private final Rewinds rewinds;
  private Runnable before = () -> {};
  private Runnable after = () -> {};

  DatabaseBlows(MysqlBackend database, Rewinds rewinds) {
    this.database = database;
    this.rewinds = rewinds;
  }

  void aroundRestore(Runnable first, Runnable last) {
    before = first;
    after = last;
  }

  Blow of(Fault fault) {
    return switch (fault.kind()) {
      case DATABASE_KILLED -> Blow.of(database::kill, database::start);
      case DATABASE_PAUSED -> Blow.of(database::pause, database::resume);
      case DATABASE_READ_ONLY ->
          Blow.of(
              () -> database.administer("SET GLOBAL read_only = 1"),
              () -> database.administer("SET GLOBAL read_only = 0"));
      case DATABASE_RESTORED -> restored();
      default -> throw new IllegalArgumentException("not a fault of the database: " + fault);
    };
  }

  private Blow restored() {
    var backup = new AtomicReference<Backup>();
    return Blow.later(
            () -> {
              before.run();
              long takenMs = System.currentTimeMillis();
              backup.set(new Backup(database.saveData(), takenMs));
            },
            () -> {
              database.kill();
              rewinds.add(backup.get().takenMs(), System.currentTimeMillis());
              database.restoreData(backup.get().data());
            },
            database::start)
        .andAfter(after);
  }
}
