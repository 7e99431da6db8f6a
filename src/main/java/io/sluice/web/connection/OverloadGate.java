package io.sluice.web.connection;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.metrics.Meters;
import io.sluice.web.problem.Problem;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

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
}
