package io.sluice.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Notices when the disk under the servers, or the whole machine, stands still. A commit that waits
 * for such a disk times out by no fault of the service. A thread of its own forces a few bytes to
 * the disk several times a second; nothing that the service does can hold it up.
 */
public final class DiskWatch {
  /** Shorter pauses are not remembered. */
  private static final Duration SHORTEST = Duration.ofMillis(500);

  private static final Duration INTERVAL = Duration.ofMillis(250);

  private static DiskWatch running;

  /** Forces something to the disk. */
  public interface Write {
    void force() throws IOException;
  }

  private record Stall(Instant from, Instant to) {
    Duration length() {
      return Duration.between(from, to);
    }
  }

  private final InstantSource clock;
  private final List<Stall> stalls = new CopyOnWriteArrayList<>();
  private Instant last;

  public DiskWatch(InstantSource clock) {
    this.clock = clock;
    last = clock.instant();
  }

  /** The watch of this JVM; the first call starts it. */
  public static synchronized DiskWatch start() {
    if (running == null) {
      running = new DiskWatch(InstantSource.system());
      Thread thread = new Thread(running::watch, "disk-watch");
      thread.setDaemon(true);
      thread.start();
    }
    return running;
  }

  /**
   * Whether the disk stood still for as long as this, at least half a second, and at some moment
   * between the two.
   */
  public boolean stoodStill(Duration atLeast, Instant from, Instant to) {
    return stalls.stream()
        .filter(stall -> stall.length().compareTo(atLeast) >= 0)
        .anyMatch(stall -> stall.from().isBefore(to) && stall.to().isAfter(from));
  }

  private void watch() {
    Path file = Workspace.root().resolve("disk-watch");
    try {
      Files.createDirectories(file.getParent());
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        while (true) {
          round(
              () -> {
                channel.write(ByteBuffer.wrap(new byte[512]), 0);
                channel.force(true);
              });
          Thread.sleep(INTERVAL.toMillis());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Writes once; the time since the write before it tells whether anything stood still. */
  public void round(Write write) throws IOException {
    write.force();
    Instant now = clock.instant();
    var stall = new Stall(last, now);
    if (stall.length().compareTo(SHORTEST) >= 0) {
      stalls.add(stall);
    }
    last = now;
  }
}
