package io.sluice.testkit.process;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Binds processes to processors, where {@code taskset} is installed. */
public final class Affinity {
  private static final int LIMIT_S = 10;

  private Affinity() {}

  /** Binds a process with all its threads; false where that cannot be done here. */
  public static boolean bind(long pid, String processors) {
    try {
      Process taskset =
          new ProcessBuilder("taskset", "-a", "-p", "-c", processors, String.valueOf(pid))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return taskset.waitFor(LIMIT_S, TimeUnit.SECONDS) && taskset.exitValue() == 0;
    } catch (IOException notInstalled) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
