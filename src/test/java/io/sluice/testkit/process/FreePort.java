package io.sluice.testkit.process;

import io.sluice.testkit.server.BackendException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Picks ports that nothing listens on.
 *
 * <p>They lie below the range from which the kernel takes the ports of outgoing connections. So a
 * server that was killed finds its port free when it restarts, and a client that connects meanwhile
 * cannot connect to itself. Concurrent test runs on one machine use different blocks of ports:
 * otherwise one might take the port of a server that another has killed for a while.
 */
public final class FreePort {
  private static final int FIRST = 20_000;
  private static final int BLOCKS = 12;
  private static final int BLOCK = 1_000;
  private static final int ATTEMPTS_MAX = 1_000;
  private static final Set<Integer> GIVEN = new HashSet<>();
  private static final int BLOCK_FIRST = FIRST + BLOCK * claimBlock();

  /** Held for the lifetime of this process. */
  private static FileLock claim;

  private FreePort() {}

  public static synchronized int next() {
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(BLOCK_FIRST, BLOCK_FIRST + BLOCK);
      if (free(port) && GIVEN.add(port)) {
        return port;
      }
    }
    throw new BackendException("no free port from %d on, of %d".formatted(BLOCK_FIRST, BLOCK));
  }

  /** Claims a block that no other process has; if all are taken, they are shared. */
  private static int claimBlock() {
    int any = ThreadLocalRandom.current().nextInt(BLOCKS);
    for (int i = 0; i < BLOCKS; i++) {
      int block = (any + i) % BLOCKS;
      Path file =
          Path.of(System.getProperty("java.io.tmpdir"), "sluice-ports-%d.lock".formatted(block));
      try {
        FileChannel channel =
            FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        claim = channel.tryLock();
        if (claim != null) {
          return block;
        }
        channel.close();
      } catch (IOException e) {
        // Owned by another user: that block is taken.
      }
    }
    return any;
  }

  private static boolean free(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
