package io.sluice.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ByteProcessor;
import java.util.function.Function;

/**
 * A connection with one request in flight at a time. Of a response it parses only the status and,
 * by Content-Length, the end.
 */
final class LoadConnection extends ChannelInboundHandlerAdapter {
  private static final byte[] LENGTH = "content-length:".getBytes(US_ASCII);
  private static final int STATUS_AT = 9;

  private final Lane lane;
  private ChannelHandlerContext context;
  private ByteBuf partly;
  private long sinceNs;
  private boolean waiting;

  LoadConnection(Lane lane) {
    this.lane = lane;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  /** Sends a request; its latency counts from {@code fromNs}. */
  void send(Function<ByteBufAllocator, ByteBuf> request, long fromNs) {
    sinceNs = fromNs;
    waiting = true;
    context.writeAndFlush(request.apply(context.alloc()), context.voidPromise());
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (partly != null) {
      bytes = partly.writeBytes(bytes);
      ((ByteBuf) message).release();
      partly = null;
    }
    int end = endOfAnswer(bytes);
    if (end < 0 || bytes.readableBytes() < end) {
      partly = bytes.isReadOnly() || bytes != message ? bytes : copy(bytes);
      return;
    }
    waiting = false;
    try {
      lane.answered(this, status(bytes), bytes, sinceNs);
    } finally {
      bytes.release();
    }
  }

  private ByteBuf copy(ByteBuf bytes) {
    ByteBuf copy = context.alloc().buffer(2 * bytes.readableBytes()).writeBytes(bytes);
    bytes.release();
    return copy;
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    if (waiting) {
      waiting = false;
      lane.broken();
    } else {
      lane.closed(this);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    ctx.close();
  }

  private static int status(ByteBuf bytes) {
    int at = bytes.readerIndex() + STATUS_AT;
    return (bytes.getByte(at) - '0') * 100
        + (bytes.getByte(at + 1) - '0') * 10
        + (bytes.getByte(at + 2) - '0');
  }

  /** The length of the response in bytes, or -1 while its head is incomplete. */
  private static int endOfAnswer(ByteBuf bytes) {
    int start = bytes.readerIndex();
    int end = bytes.writerIndex();
    int length = 0;
    int line = start;
    while (line < end) {
      int newline = bytes.forEachByte(line, end - line, ByteProcessor.FIND_LF);
      if (newline < 0) {
        return -1;
      }
      if (newline - line <= 1) {
        return newline + 1 - start + length;
      }
      if (isLength(bytes, line, newline)) {
        length = number(bytes, line + LENGTH.length, newline);
      }
      line = newline + 1;
    }
    return -1;
  }

  private static boolean isLength(ByteBuf bytes, int from, int to) {
    if (to - from <= LENGTH.length) {
      return false;
    }
    for (int i = 0; i < LENGTH.length; i++) {
      if ((bytes.getByte(from + i) | 0x20) != (LENGTH[i] | 0x20)) {
        return false;
      }
    }
    return true;
  }

  private static int number(ByteBuf bytes, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      int digit = bytes.getByte(i) - '0';
      if (digit >= 0 && digit <= 9) {
        number = 10 * number + digit;
      }
    }
    return number;
  }
}
