package io.sluice.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * Answers every request 201, with one and the same order, in the generator's own process, for its
 * rehearsal.
 */
final class ConstantServer implements AutoCloseable {
  private static final byte[] ORDER =
      "{\"order_token\":\"2000000000.0.AAAAAAAAAAAAAAAAAAAAAA\"}".getBytes(US_ASCII);

  private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final Channel port;

  private ConstantServer() throws InterruptedException {
    port =
        new ServerBootstrap()
            .group(loop)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(new HttpServerCodec(), new Answerer());
                  }
                })
            .bind(InetAddress.getLoopbackAddress(), 0)
            .sync()
            .channel();
  }

  static ConstantServer start() throws InterruptedException {
    return new ConstantServer();
  }

  String url() {
    return "http://127.0.0.1:" + ((InetSocketAddress) port.localAddress()).getPort();
  }

  @Override
  public void close() throws InterruptedException {
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
  }

  private static final class Answerer extends SimpleChannelInboundHandler<HttpObject> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
      if (part instanceof LastHttpContent) {
        var answer =
            new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.CREATED, Unpooled.wrappedBuffer(ORDER));
        answer.headers().set(HttpHeaderNames.CONTENT_LENGTH, ORDER.length);
        context.writeAndFlush(answer, context.voidPromise());
      }
    }
  }
}
