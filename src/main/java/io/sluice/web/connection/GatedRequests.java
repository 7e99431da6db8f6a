package io.sluice.web.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.sluice.web.problem.Problem;
import io.sluice.web.problem.ProblemMapper;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one connection at an {@link OverloadGate}: refuses them, and counts those that
 * the HTTP server has. A request behind one that is not answered yet passes the gate, since answers
 * keep the order of their requests. Used by one event loop.
 */
final class GatedRequests {
  private final OverloadGate gate;

  /** Requests that the HTTP server got and has not answered. */
  private int unanswered;

  /** Whether the current request is refused. */
  private boolean refused;

  GatedRequests(OverloadGate gate) {
    this.gate = gate;
  }

  /** Whether the current request is refused, and is not complete yet. */
  boolean isRefusing() {
    return refused;
  }

  /** A request begins to be read. */
  void begun(ChannelHandlerContext ctx) {
    gate.begun(ctx.channel());
  }

  /** Counts the answer that ends the connection, if it is that to a refused request. */
  void ended(Problem problem) {
    if (refused) {
      gate.count(problem);
    }
  }

  /**
   * Refuses a request before it is decoded, if all of its bytes are there and are plain.
   *
   * @return whether it did, and read these bytes
   */
  boolean refuseUndecoded(ChannelHandlerContext ctx, ByteBuf in) {
    int length = unanswered == 0 ? gate.refusedLength(in) : PlainRequest.OTHER;
    if (length == PlainRequest.OTHER) {
      return false;
    }
    in.skipBytes(length);
    begun(ctx);
    answer(ctx);
    return true;
  }

  /**
   * Keeps the parts of what the gate refuses from the HTTP server, and answers it once it is
   * complete.
   *
   * @return with what to end the connection: the body of the refused request is malformed; or null
   */
  @Nullable Problem refuse(ChannelHandlerContext ctx, List<Object> parts) {
    Problem end = null;
    for (int i = 0; i < parts.size(); i++) {
      Object part = parts.get(i);
      if (part instanceof HttpRequest request) {
        refused = unanswered == 0 && gate.isShutFor(request);
        unanswered += refused ? 0 : 1;
      }
      if (refused) {
        parts.remove(i--);
        ReferenceCountUtil.release(part);
        if (part instanceof LastHttpContent last) {
          end = answer(ctx, last.decoderResult());
        }
      }
    }
    return end;
  }

  private @Nullable Problem answer(ChannelHandlerContext ctx, DecoderResult body) {
    if (body.isFailure()) {
      return ProblemMapper.malformed(body.cause());
    }
    refused = false;
    answer(ctx);
    return null;
  }

  private void answer(ChannelHandlerContext ctx) {
    // Beginning here, it does not pass the encoder, which expects a response.
    ctx.writeAndFlush(gate.refuse(), ctx.voidPromise());
    if (!ctx.channel().isWritable()) {
      // The caller sends on without reading its answers, which would be kept without bound.
      ctx.close();
    }
  }

  /** Counts the answers of the HTTP server on their way to its encoder. */
  ChannelHandler answerCounter() {
    return new ChannelOutboundHandlerAdapter() {
      @Override
      public void write(ChannelHandlerContext ctx, Object part, ChannelPromise promise) {
        boolean interim =
            part instanceof HttpResponse response
                && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
        if (part instanceof LastHttpContent && !interim) {
          unanswered--;
        }
        ctx.write(part, promise);
      }
    };
  }
}
