package io.sluice.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.sluice.web.OverloadGate.SocketWaits;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What the kernel tells of a real socket. */
class SocketWaitsOnSocketsTest {
  private final SocketWaits unit = new SocketWaits(System::nanoTime);

  @Test
  void shouldStandWhenDataStayInASocket() throws Exception {
    assumeTrue(Epoll.isAvailable());
    EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    try {
      // given
      CompletableFuture<Channel> accepted = new CompletableFuture<>();
      Channel server = server(loop, accepted);
      int port = ((InetSocketAddress) server.localAddress()).getPort();
      try (Socket caller = new Socket("127.0.0.1", port)) {
        Channel unread = accepted.get();

        // when
        caller.getOutputStream().write('P');

        // then
        await()
            .pollInterval(Duration.ofMillis(5))
            .untilAsserted(
                () -> {
                  begin(unread);
                  assertThat(unit.isStanding()).isTrue();
                });
      }
    } finally {
      loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }
  }

  private void begin(Channel channel) {
    for (int i = 0; i < SocketWaits.SAMPLED; i++) {
      unit.begun(channel);
    }
  }

  /** Reads nothing of its connections. */
  private static Channel server(EventLoopGroup loop, CompletableFuture<Channel> accepted)
      throws InterruptedException {
    return new ServerBootstrap()
        .group(loop)
        .channel(EpollServerSocketChannel.class)
        .childOption(ChannelOption.AUTO_READ, false)
        .childHandler(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelActive(ChannelHandlerContext ctx) {
                accepted.complete(ctx.channel());
              }
            })
        .bind("127.0.0.1", 0)
        .sync()
        .channel();
  }
}
