package io.sluice.testkit.process;

import java.nio.file.Path;
import java.util.UUID;

/** The data of a server in a folder of the testkit. */
public record DataFolder(Path path) implements DataFiles {
  /** A copy beside it. */
  @Override
  public Path save() {
    Path copy = path.resolveSibling("saved-" + UUID.randomUUID());
    Folders.copy(path, copy);
    return copy;
  }

  @Override
  public void restore(Path copy) {
    Folders.delete(path);
    Folders.copy(copy, path);
  }

  @Override
  public void wipe() {
    Folders.delete(path);
    Folders.create(path);
  }
}
