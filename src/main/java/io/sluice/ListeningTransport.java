package io.sluice;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.DefaultSelectStrategyFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.datagram.DatagramSocketOptions;
import io.vertx.core.net.ClientOptionsBase;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.spi.transport.Transport;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
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
@SuppressWarnings("deprecation") // This type is in a signature of Vert.x.
final class ListeningTransport implements Transport, io.vertx.core.transport.Transport {
  private static final Logger log = LoggerFactory.getLogger(ListeningTransport.class);

  /**
   * How many ready sockets an event loop serves at a time, before it runs its tasks and looks for
   * newly ready ones. The default grows with the number of ready sockets: the reply of Redis and
   * the acknowledgements of the log then wait for thousands of callers.
   */
  static final int SOCKETS_PER_TURN = 128;

  private static final String EPOLL = "epoll";

  private final io.vertx.core.transport.Transport base;
  private final Transport sockets;

  /** An instance has two; closed ones are not removed. */
  private final List<ServerChannel> listening = new CopyOnWriteArrayList<>();

  /**
   * @param base an available transport
   */
  ListeningTransport(io.vertx.core.transport.Transport base) {
    this.base = base;
    this.sockets = base.implementation();
  }

  /** Chooses the native transport if available; otherwise the JDK's, with a warning on Linux. */
  static ListeningTransport ofThisMachine() {
    boolean linux = System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("linux");
    return of(io.vertx.core.transport.Transport.nativeTransport(), linux);
  }

  /**
   * @param offered the native transport here, or null
   * @param expected whether there should be one
   */
  static ListeningTransport of(
      io.vertx.core.transport.@Nullable Transport offered, boolean expected) {
    if (offered != null && offered.available()) {
      return new ListeningTransport(offered);
    }
    if (expected) {
      log.atWarn()
          .addKeyValue("cause", offered == null ? "its classes are missing" : why(offered))
          .log(
              "epoll cannot be used, sockets go through the JDK instead, which costs throughput;"
                  + " its library needs a java.io.tmpdir that is writable and not mounted noexec");
    }
    return new ListeningTransport(io.vertx.core.transport.Transport.NIO);
  }

  /** The innermost cause; the outer ones only say that a library was not loaded. */
  private static String why(io.vertx.core.transport.Transport offered) {
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

  @Override
  public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
    ChannelFactory<? extends ServerChannel> factory = sockets.serverChannelFactory(domainSocket);
    return () -> {
      ServerChannel socket = factory.newChannel();
      listening.add(socket);
      return socket;
    };
  }

  @Override
  public String name() {
    return base.name();
  }

  @Override
  public boolean available() {
    return base.available();
  }

  @Override
  public Transport implementation() {
    return this;
  }

  @Override
  public boolean isAvailable() {
    return sockets.isAvailable();
  }

  @Override
  public @Nullable Throwable unavailabilityCause() {
    return sockets.unavailabilityCause();
  }

  @Override
  public boolean supportsDomainSockets() {
    return sockets.supportsDomainSockets();
  }

  @Override
  public boolean supportFileRegion() {
    return sockets.supportFileRegion();
  }

  @Override
  public SocketAddress convert(io.vertx.core.net.SocketAddress address) {
    return sockets.convert(address);
  }

  @Override
  public io.vertx.core.net.@Nullable SocketAddress convert(SocketAddress address) {
    return sockets.convert(address);
  }

  @Override
  public IoHandlerFactory ioHandlerFactory() {
    return base.name().equals(EPOLL)
        ? EpollIoHandler.newFactory(SOCKETS_PER_TURN, DefaultSelectStrategyFactory.INSTANCE)
        : sockets.ioHandlerFactory();
  }

  @Override
  public EventLoopGroup eventLoopGroup(int type, int threads, ThreadFactory factory, int ioRatio) {
    return Transport.super.eventLoopGroup(type, threads, factory, ioRatio);
  }

  @Override
  public DatagramChannel datagramChannel() {
    return sockets.datagramChannel();
  }

  @Override
  public DatagramChannel datagramChannel(InternetProtocolFamily family) {
    return sockets.datagramChannel(family);
  }

  @Override
  public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
    return sockets.channelFactory(domainSocket);
  }

  @Override
  public void configure(DatagramChannel channel, DatagramSocketOptions options) {
    sockets.configure(channel, options);
  }

  @Override
  public void configure(
      ClientOptionsBase options, int connectTimeout, boolean domainSocket, Bootstrap bootstrap) {
    sockets.configure(options, connectTimeout, domainSocket, bootstrap);
  }

  @Override
  public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
    sockets.configure(options, domainSocket, bootstrap);
  }
}
