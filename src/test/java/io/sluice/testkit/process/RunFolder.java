package io.sluice.testkit.process;

import io.sluice.testkit.server.BackendException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The data folder of one set of servers, locked while they are in use and deleted afterwards. */
public record RunFolder(Path path, LockFile lock) implements AutoCloseable {
  static RunFolder create(Path path) {
    LockFile lock =
        LockFile.tryLock(lockFileOf(path))
            .orElseThrow(() -> new BackendException(path + " is in use"));
    return new RunFolder(Folders.create(path), lock);
  }

  static void deleteIfNobodyHoldsIt(Path path) {
    Optional<LockFile> lock = LockFile.tryLock(lockFileOf(path));
    lock.ifPresent(held -> new RunFolder(path, held).close());
  }

  @Override
  public void close() {
    Folders.delete(path);
    try {
      Files.deleteIfExists(lockFileOf(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      lock.close();
    }
  }

  private static Path lockFileOf(Path path) {
    return path.resolveSibling(path.getFileName() + ".lock");
  }
}
