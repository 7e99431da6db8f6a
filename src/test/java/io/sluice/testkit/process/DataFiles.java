package io.sluice.testkit.process;

import java.nio.file.Path;

/** Access to the data files of a server, while it is stopped or (to save them) while it runs. */
public interface DataFiles {
  void wipe();

  Path save();

  void restore(Path copy);
}
