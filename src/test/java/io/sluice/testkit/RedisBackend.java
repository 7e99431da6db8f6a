package io.sluice.testkit;

import java.nio.file.Path;

/** A real Redis: append-only file on, synced every second, nothing is ever evicted. */
public final class RedisBackend extends ServerBackend {
  /** The data files of one Redis, while it is stopped or (to save them) while it runs. */
  interface DataFiles {
    void wipe();

    Path save();

    void restore(Path copy);
  }

  private final String uri;
  private final DataFiles files;

  RedisBackend(Server server, String uri, DataFiles files) {
    super(RedisFactory.NAME, server);
    this.uri = uri;
    this.files = files;
  }

  /** Where it listens, such as {@code redis://127.0.0.1:20123}. */
  public String uri() {
    return uri;
  }

  /** Deletes all data, so that Redis comes back empty. Only while it is stopped. */
  public void wipe() {
    requireStopped("wipe()");
    files.wipe();
  }

  /**
   * Copies the append-only file aside, for {@link #restoreAppendOnlyFile}. Redis may be running.
   */
  public Path saveAppendOnlyFile() {
    return files.save();
  }

  /**
   * Puts an older append-only file in place, so that Redis comes back in the past. Only while it is
   * stopped.
   */
  public void restoreAppendOnlyFile(Path copy) {
    requireStopped("restoreAppendOnlyFile()");
    files.restore(copy);
  }
}
