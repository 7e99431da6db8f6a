package io.sluice;

import io.netty.channel.ChannelFactory;
import io.netty.channel.DefaultSelectStrategyFactory;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.impl.transports.EpollTransport;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.impl.transports.TransportInternal;
import io.vertx.core.transport.Transport;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transport of an instance. It limits the sockets that an event loop serves at a time, and
 * keeps track of the listening sockets, so that they can be closed before the servers behind them.
 *
 * <p>Vert.x closes in the other order: first a server's event loops, then its socket. A connection
 * accepted in between has no event loop; it is dropped, with a stack trace.
 */
final class ListeningTransport {
  private static final Logger log = LoggerFactory.getLogger(ListeningTransport.class);

  /**
   * How many ready sockets an event loop serves at a time, before it runs its tasks and looks for
   * newly ready ones. The default grows with the number of ready sockets: the reply of Redis and
   * the acknowledgements of the log then wait for thousands of callers.
   */
  static final int SOCKETS_PER_TURN = 128;

  private final Transport transport;

  /** An instance has two; closed ones are not removed. */
  private final List<ServerChannel> listening = new CopyOnWriteArrayList<>();

  private ListeningTransport(boolean isNative) {
    this.transport =
        isNative
            ? new TransportInternal("epoll", true, null, new OfEpoll())
            : new TransportInternal("nio", true, null, new OfJdk());
  }

  /** Chooses the native transport if available; otherwise the JDK's, with a warning on Linux. */
  static ListeningTransport ofThisMachine() {
    boolean linux = System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("linux");
    return of(Transport.nativeTransport(), linux);
  }

  /**
   * @param offered the native transport here, or null; the one that is shipped is that of epoll
   * @param expected whether there should be one
   */
  static ListeningTransport of(@Nullable Transport offered, boolean expected) {
    if (offered != null && offered.available()) {
      return new ListeningTransport(true);
    }
    if (expected) {
      log.atWarn()
          .addKeyValue("cause", offered == null ? "its classes are missing" : why(offered))
          .log(
              "epoll cannot be used, sockets go through the JDK instead, which costs throughput;"
                  + " its library needs a java.io.tmpdir that is writable and not mounted noexec");
    }
    return new ListeningTransport(false);
  }

  /** The innermost cause; the outer ones only say that a library was not loaded. */
  private static String why(Transport offered) {
    Throwable cause = offered.unavailabilityCause();
    while (cause != null && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause);
  }

  /** Completes when no socket listens on this port; accepted connections stay open. */
  Future<Void> stopListening(int port) {
    return Future.join(
            listening.stream()
                .filter(socket -> portOf(socket) == port)
                .map(ListeningTransport::close)
                .toList())
        .mapEmpty();
  }

  private static int portOf(ServerChannel socket) {
    return socket.localAddress() instanceof InetSocketAddress address ? address.getPort() : -1;
  }

  private static Future<Void> close(ServerChannel socket) {
    Promise<Void> closed = Promise.promise();
    socket.close().addListener(done -> closed.complete());
    return closed.future();
  }

  /** What Vert.x is given. */
  Transport forVertx() {
    return transport;
  }

  private ChannelFactory<ServerChannel> noting(ChannelFactory<? extends ServerChannel> factory) {
    return () -> {
      ServerChannel socket = factory.newChannel();
      listening.add(socket);
      return socket;
    };
  }

  private final class OfEpoll extends EpollTransport {
    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
      return noting(super.serverChannelFactory(domainSocket));
    }

    @Override
    public IoHandlerFactory ioHandlerFactory() {
      return EpollIoHandler.newFactory(SOCKETS_PER_TURN, DefaultSelectStrategyFactory.INSTANCE);
    }
  }

  private final class OfJdk extends NioTransport {
    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
      return noting(super.serverChannelFactory(domainSocket));
    }
  }
}
