package io.sluice.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Picks ports that nothing listens on.
 *
 * <p>They lie below the range from which the kernel takes the ports of outgoing connections. A
 * server that was killed thus finds its port free when it comes back, and a client that knocks in
 * between cannot connect to itself.
 */
public final class FreePort {
  private static final int FIRST = 20_000;
  private static final int LAST = 31_999;
  private static final int ATTEMPTS_MAX = 1_000;
  private static final Set<Integer> GIVEN = new HashSet<>();

  private FreePort() {}

  public static synchronized int next() {
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, LAST + 1);
      if (free(port) && GIVEN.add(port)) {
        return port;
      }
    }
    throw new BackendException("no free port from " + FIRST + " to " + LAST);
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
