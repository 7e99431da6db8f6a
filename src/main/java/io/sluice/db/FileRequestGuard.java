package io.sluice.db;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.util.ReferenceCountUtil;
import io.sluice.monitor.Alarm;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.impl.SocketConnectionBase;
import io.vertx.sqlclient.internal.Connection;
import io.vertx.sqlclient.internal.SqlConnectionInternal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a connection on which the server asks for a file. In this protocol it may answer any text
 * query so (LOCAL INFILE), and the client sends whatever file it names; there is no option against
 * it. We load no files.
 *
 * <p>Such a request is a packet whose first byte is 0xFB. Of all other answers only a row of a text
 * query whose first column is NULL begins so. None of our text queries has one: they write, or read
 * keys. All else is read by prepared statements, whose rows begin with 0.
 */
final class FileRequestGuard extends ChannelInboundHandlerAdapter {
  private static final Logger log = LoggerFactory.getLogger(FileRequestGuard.class);

  private static final String NAME = "fileRequestGuard";

  /** The client's own handler, behind which each message is a packet with its header. */
  private static final String PACKETS = "packetDecoder";

  private static final int HEADER_BYTES = 4;
  private static final int FILE_REQUEST = 0xFB;

  private FileRequestGuard() {}

  /** Guards a connection; to be called on its event loop, before its first query. */
  static void install(SqlConnection connection) {
    Connection inner = ((SqlConnectionInternal) connection).unwrap();
    while (!(inner instanceof SocketConnectionBase)) {
      inner = inner.unwrap();
    }
    ChannelPipeline pipeline =
        ((SocketConnectionBase) inner).socket().channelHandlerContext().pipeline();
    pipeline.addAfter(PACKETS, NAME, new FileRequestGuard());
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof ByteBuf packet) || !isFileRequest(packet)) {
      context.fireChannelRead(message);
      return;
    }
    ReferenceCountUtil.release(message);
    Alarm.FILE_ASKED.raise(log.atError().addKeyValue("server", context.channel().remoteAddress()));
    context.close();
  }

  private static boolean isFileRequest(ByteBuf packet) {
    return packet.readableBytes() > HEADER_BYTES
        && packet.getUnsignedByte(packet.readerIndex() + HEADER_BYTES) == FILE_REQUEST;
  }
}
