package io.sluice.testkit.process;

import io.sluice.testkit.server.BackendException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Sends signals to processes. */
public final class Signals {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final long LOOK_EVERY_NS = 1_000_000;

  private Signals() {}

  /**
   * Stops a process, and returns when all its threads have stopped: on a busy machine the signal
   * takes so long that the process could still answer some requests.
   */
  public static void pause(long pid) {
    send("STOP", pid);
    Path tasks = Path.of("/proc", String.valueOf(pid), "task");
    long endNs = System.nanoTime() + LIMIT.toNanos();
    while (Files.exists(tasks) && !allStopped(tasks)) {
      if (System.nanoTime() > endNs) {
        throw new BackendException("process " + pid + " still runs " + LIMIT + " after SIGSTOP");
      }
      LockSupport.parkNanos(LOOK_EVERY_NS);
    }
  }

  public static void resume(long pid) {
    send("CONT", pid);
  }

  private static void send(String signal, long pid) {
    String command = "kill -%s %d".formatted(signal, pid);
    try {
      Process sh = new ProcessBuilder("sh", "-c", command).start();
      if (!sh.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS) || sh.exitValue() != 0) {
        throw new BackendException("'" + command + "' failed");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BackendException("interrupted during '" + command + "'", e);
    }
  }

  private static boolean allStopped(Path tasks) {
    try (Stream<Path> threads = Files.list(tasks)) {
      List<Path> all = threads.toList();
      return all.stream().allMatch(Signals::isStopped);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The state follows the name, which stands in brackets: {@code 42 (java) T 1 ...}. */
  private static boolean isStopped(Path thread) {
    try {
      String stat = Files.readString(thread.resolve("stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
    } catch (NoSuchFileException gone) {
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
