package io.sluice.bench.load;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;

/** The one thread of a generator, and how its connections are opened. */
final class LoadChannels {
  private LoadChannels() {}

  static EventLoopGroup oneThread() {
    return new MultiThreadIoEventLoopGroup(
        1, Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
  }

  /** Lacks a handler and an address. */
  static Bootstrap bootstrap(EventLoopGroup loop) {
    return new Bootstrap()
        .group(loop)
        .channel(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
        .option(ChannelOption.TCP_NODELAY, true);
  }
}
