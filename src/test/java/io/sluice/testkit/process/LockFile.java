package io.sluice.testkit.process;

import io.sluice.testkit.server.BackendException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * An exclusive lock among all threads of all JVMs; the kernel releases it when its holder dies.
 *
 * <p>The kernel drops a JVM's lock as soon as the JVM closes any channel on that file. So a file
 * that this JVM has locked is never opened a second time.
 */
final class LockFile implements AutoCloseable {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(50);
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;

  private LockFile(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  static Optional<LockFile> tryLock(Path file) {
    Path key = file.toAbsolutePath().normalize();
    if (!HELD.add(key)) {
      return Optional.empty();
    }
    FileChannel channel = null;
    try {
      channel = FileChannel.open(key, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return Optional.of(new LockFile(key, channel));
      }
      release(key, channel);
      return Optional.empty();
    } catch (IOException e) {
      release(key, channel);
      throw new UncheckedIOException("cannot lock " + key, e);
    }
  }

  static LockFile lock(Path file, Duration limit) {
    long deadlineNs = System.nanoTime() + limit.toNanos();
    while (true) {
      Optional<LockFile> lock = tryLock(file);
      if (lock.isPresent()) {
        return lock.get();
      }
      if (System.nanoTime() > deadlineNs) {
        throw new BackendException(
            "%s is still locked after %s s".formatted(file, limit.toSeconds()));
      }
      LockSupport.parkNanos(POLL_INTERVAL.toNanos());
    }
  }

  @Override
  public void close() {
    release(file, channel);
  }

  private static void release(Path key, FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      HELD.remove(key);
    }
  }
}
