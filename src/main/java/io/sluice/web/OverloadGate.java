package io.sluice.web;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.sluice.metrics.Meters;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Refuses calls of one path while there is no room for them, before they become requests of the
 * HTTP server. A refused request must cost much less than a served one, or a crowd that is refused
 * takes the processor from all others. Without room are: a full queue, and requests that {@link
 * SocketWaits wait in their sockets} while {@link #ENOUGH} others are in progress. One per event
 * loop, used by its {@link GatedRequests}.
 */
public final class OverloadGate {
  /**
   * With fewer requests in progress on the event loop none is refused because it waited. The stores
   * would have nothing to do, and a machine that is slow is no crowd.
   */
  static final int ENOUGH = 256;

  private final String path;
  private final PlainRequest plain;
  private final BooleanSupplier full;
  private final IntSupplier inProgress;
  private final SocketWaits waits;
  private final Meters.Answers answers;
  private final ByteBuf refusal =
      Unpooled.unreleasableBuffer(Unpooled.directBuffer().writeBytes(Problem.OVERLOADED.http()));

  /**
   * @param path of the POST that is refused
   * @param full whether there is no room now; asked on the event loop
   * @param inProgress the number of requests that are in progress; asked on the event loop
   * @param answers of that call
   */
  public OverloadGate(
      String path, BooleanSupplier full, IntSupplier inProgress, Meters.Answers answers) {
    this(path, full, inProgress, answers, new SocketWaits(System::nanoTime));
  }

  OverloadGate(
      String path,
      BooleanSupplier full,
      IntSupplier inProgress,
      Meters.Answers answers,
      SocketWaits waits) {
    this.path = path;
    this.plain = new PlainRequest(path);
    this.full = full;
    this.inProgress = inProgress;
    this.answers = answers;
    this.waits = waits;
  }

  /** A request begins to be read from its socket. */
  void begun(Channel channel) {
    waits.begun(channel);
  }

  /**
   * The number of bytes of the refused request that these bytes begin with; {@link
   * PlainRequest#OTHER} if none is refused, or it must be decoded.
   */
  int refusedLength(ByteBuf in) {
    return isShut() ? plain.lengthOf(in) : PlainRequest.OTHER;
  }

  /** Whether this request is refused: one that is well-formed and keeps its connection open. */
  boolean isShutFor(HttpRequest request) {
    return isShut()
        && request.decoderResult().isSuccess()
        && HttpMethod.POST.equals(request.method())
        && path.equals(request.uri())
        && HttpVersion.HTTP_1_1.equals(request.protocolVersion())
        && isPlain(request.headers());
  }

  /** Whether a request begins with the line of those that are refused, which is well-formed. */
  boolean hasPlainLine(ByteBuf in) {
    return plain.beginsWithLine(in);
  }

  private boolean isShut() {
    return full.getAsBoolean() || (inProgress.getAsInt() >= ENOUGH && waits.isStanding());
  }

  private static boolean isPlain(HttpHeaders headers) {
    return !headers.contains(HttpHeaderNames.CONNECTION)
        && !headers.contains(HttpHeaderNames.EXPECT);
  }

  /** The answer to a refused request, as bytes. */
  ByteBuf refuse() {
    count(Problem.OVERLOADED);
    return refusal.duplicate();
  }

  /** Counts the answer to a refused request. */
  void count(Problem problem) {
    answers.count(problem.type().word());
  }

  /**
   * Whether requests wait in their sockets before they are read, because more arrives than the
   * event loop can read. No queue of ours shows that wait; the kernel tells since when the data of
   * a socket have been there, and every {@link #SAMPLED}th request is asked for. A pause of the
   * process makes all requests late once: only a wait that lasts for {@link #INTERVAL} is one that
   * stands, unless another stood within {@link #CALM}. Used by one event loop.
   *
   * <p>Without epoll nothing is known, and nothing stands.
   */
  static final class SocketWaits {
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

  /**
   * The requests of one connection at an {@link OverloadGate}: refuses them, and counts those that
   * the HTTP server has. A request behind one that is not answered yet passes the gate, since
   * answers keep the order of their requests. Used by one event loop.
   */
  static final class GatedRequests {
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

    /** Whether the request line is that of most requests, and need not be looked at. */
    boolean hasPlainLine(ByteBuf in) {
      return gate.hasPlainLine(in);
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
     * @return with what to end the connection: the body of the refused request is malformed; or
     *     null
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
        return Problem.ofMalformed(body.cause());
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
}
