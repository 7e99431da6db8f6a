package io.sluice.web.connection;

import io.netty.channel.Channel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Whether requests wait in their sockets before they are read, because more arrives than the event
 * loop can read. No queue of ours shows that wait; the kernel tells since when the data of a socket
 * have been there, and every {@link #SAMPLED}th request is asked for. A pause of the process makes
 * all requests late once: only a wait that lasts for {@link #INTERVAL} is one that stands, unless
 * another stood within {@link #CALM}. Used by one event loop.
 *
 * <p>Without epoll nothing is known, and nothing stands.
 */
final class SocketWaits {
  /** Asking the kernel costs a microsecond. */
  static final int SAMPLED = 16;

  /** The time that a request may wait. */
  static final Duration TARGET = Duration.ofMillis(40);

  static final Duration INTERVAL = Duration.ofMillis(100);

  /** As long as refused callers wait before they repeat: their crowd is gone, or it is back. */
  static final Duration CALM = Duration.ofSeconds(1);

  private final LongSupplier nanoTime;
  private final EpollTcpInfo info = new EpollTcpInfo();
  private int begun;
  private boolean late;
  private long lateSinceNanos;
  private boolean standing;
  private long stoodNanos;
  private long sampledNanos;

  /**
   * @param nanoTime a monotonic clock
   */
  SocketWaits(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.stoodNanos = nanoTime.getAsLong() - CALM.toNanos();
  }

  /** A request begins to be read. */
  void begun(Channel channel) {
    if (++begun % SAMPLED == 0 && channel instanceof EpollSocketChannel socket) {
      socket.tcpInfo(info);
      waited(info.lastDataRecv());
    }
  }

  /** A request waited for so long in its socket. */
  void waited(long ms) {
    sampledNanos = nanoTime.getAsLong();
    long most = standing ? TARGET.toMillis() / 2 : TARGET.toMillis();
    if (ms <= most) {
      stoodNanos = standing ? sampledNanos : stoodNanos;
      standing = false;
      late = false;
    } else {
      lateSinceNanos = late ? lateSinceNanos : sampledNanos;
      late = true;
      standing = standing || isOver(INTERVAL, lateSinceNanos) || !isOver(CALM, stoodNanos);
    }
  }

  /** Whether they do; not any more once nothing has been read for a while. */
  boolean isStanding() {
    return standing && nanoTime.getAsLong() - sampledNanos < INTERVAL.toNanos();
  }

  private boolean isOver(Duration time, long sinceNanos) {
    return sampledNanos - sinceNanos >= time.toNanos();
  }
}
