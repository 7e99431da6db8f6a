package io.sluice.web;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.sluice.web.OverloadGate.GatedRequests;
import io.sluice.web.Problem.BadInputException;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the requests of one connection. Refuses those whose version or length another server on
 * the way could read differently (RFC 9112, section 6.1). Notes for how long the current request
 * has been arriving, and how large it is. Used by one event loop.
 */
final class RequestDecoder extends VertxHttpRequestDecoder {
  /** How much of a body is read at most; more ends the connection, whatever was answered. */
  static final int BODY_BYTES_MAX = 1024 * 1024;

  private static final Pattern VERSION = Pattern.compile("HTTP/\\d\\.\\d");

  /** A name, an IPv4 or an IPv6 address, and maybe a port; or nothing (RFC 9110, section 7.2). */
  private static final Pattern HOST =
      Pattern.compile("(?:[A-Za-z0-9._~!$&'()*+,;=%-]*|\\[[0-9A-Fa-f:.]+])(?::\\d{0,5})?");

  /** An empty line that old clients send after a body (RFC 9112, section 2.2). */
  private static final int LINE_END_BYTES = 2;

  private static final int DELETE = 0x7f;

  /** Any answer is given within this time after its request. */
  private static final Duration ANSWER_MAX = Duration.ofSeconds(35);

  /** After which a connection without a request is idle. */
  private static final Duration UNUSED_MAX = Duration.ofSeconds(1);

  private boolean arriving;
  private boolean first = true;
  private boolean headComplete;
  private boolean lineSeen;
  private boolean lineIsLoose;

  /** That of the requests before, which was looked at: it is the same in all, as a rule. */
  private @Nullable String host;

  private boolean lineEndSkipped;
  private long sinceNanos;
  private long bodyBytes;
  private @Nullable ChannelHandlerContext context;
  private final @Nullable GatedRequests gated;

  /** Whether the last answer is given, so that nothing is read any more. */
  private boolean ended;

  RequestDecoder(HttpServerOptions options, @Nullable GatedRequests gated) {
    super(options);
    this.gated = gated;
    sinceNanos = System.nanoTime();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
    super.handlerAdded(ctx);
    context = ctx;
  }

  /** Whether a request has begun to arrive and is not complete. */
  boolean isArriving() {
    return arriving;
  }

  /**
   * Whether an answer from here can only be taken for that to the current request: none was before
   * it, or all before it are answered.
   */
  boolean mayEnd() {
    return first || isRefusing();
  }

  /** Whether nothing arrives and nothing is to be answered. */
  boolean isIdle(long nowNanos) {
    Duration quiet = first ? UNUSED_MAX : ANSWER_MAX;
    return !arriving && nowNanos - sinceNanos > quiet.toNanos();
  }

  /** Whether the head of the current request is complete, so that it has its handler. */
  boolean isHeadComplete() {
    return headComplete && !isRefusing();
  }

  private boolean isRefusing() {
    return gated != null && gated.isRefusing();
  }

  /** When the current request began to arrive; else when the latest was complete. */
  long sinceNanos() {
    return sinceNanos;
  }

  /** Begins the time of the current request anew. */
  void restart() {
    sinceNanos = System.nanoTime();
  }

  /** Fails the current request; its handler can still answer, then the connection is closed. */
  void fail(Throwable cause) {
    if (context != null) {
      context.fireExceptionCaught(cause);
    }
  }

  /** Ends the connection with an answer; only if no request waits for another. */
  void end(Problem problem) {
    ended = true;
    arriving = false;
    if (gated != null) {
      gated.ended(problem);
    }
    if (context != null) {
      // Beginning here, it does not pass the encoder, which expects a response.
      context.writeAndFlush(problem.lastHttp());
      // A client that does not read what is written is not waited for.
      context.close();
    }
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
    if (ended) {
      // TLS reads on until it has said that it closes.
      in.skipBytes(in.readableBytes());
      return;
    }
    if (!arriving && in.isReadable() && gated != null && gated.refuseUndecoded(ctx, in)) {
      complete();
      return;
    }
    if (!arriving && in.isReadable() && !isLineEnd(in)) {
      begin(ctx);
    }
    if (arriving && !lineSeen) {
      look(in);
    }
    super.decode(ctx, in, out);
    for (int i = 0; i < out.size(); i++) {
      decoded(ctx, out.get(i));
    }
    Problem end = gated == null ? null : gated.refuse(ctx, out);
    if (end != null) {
      end(end);
    }
    failMalformedContent(ctx, out);
  }

  private void begin(ChannelHandlerContext ctx) {
    arriving = true;
    headComplete = false;
    lineSeen = false;
    lineIsLoose = false;
    bodyBytes = 0;
    sinceNanos = System.nanoTime();
    if (gated != null) {
      gated.begun(ctx);
    }
  }

  /**
   * Looks at the request line as soon as it is there: the decoder takes any number of blanks, in
   * which another server on the way may see another target.
   */
  private void look(ByteBuf in) {
    if (gated != null && gated.hasPlainLine(in)) {
      lineSeen = true;
      return;
    }
    int from = in.readerIndex();
    int written = in.writerIndex();
    while (from < written && (in.getByte(from) == '\r' || in.getByte(from) == '\n')) {
      from++;
    }
    int lineEnd = in.indexOf(from, written, (byte) '\n');
    if (lineEnd < 0) {
      return;
    }
    lineSeen = true;
    int end = lineEnd > from && in.getByte(lineEnd - 1) == '\r' ? lineEnd - 1 : lineEnd;
    int blanks = 0;
    for (int i = from; i < end; i++) {
      int c = in.getByte(i);
      boolean isBlank = c == ' ' && i > from && i + 1 < end && in.getByte(i + 1) != ' ';
      blanks += isBlank ? 1 : 0;
      lineIsLoose |= (!isBlank && c >= 0 && c <= ' ') || c == DELETE;
    }
    lineIsLoose |= blanks != 2;
  }

  private void complete() {
    arriving = false;
    first = false;
    lineEndSkipped = false;
    sinceNanos = System.nanoTime();
  }

  /**
   * Keeps content that cannot be decoded from the connection, which would close at once: answers
   * are flushed only when all that was read is processed.
   */
  private void failMalformedContent(ChannelHandlerContext ctx, List<Object> out) {
    int last = out.size() - 1;
    if (last >= 0
        && out.get(last) instanceof LastHttpContent content
        && !(content instanceof HttpRequest)
        && content.decoderResult().isFailure()) {
      out.remove(last);
      ctx.executor().execute(() -> fail(content.decoderResult().cause()));
    }
  }

  private boolean isLineEnd(ByteBuf in) {
    if (lineEndSkipped || in.readableBytes() > LINE_END_BYTES) {
      return false;
    }
    for (int i = in.readerIndex(); i < in.writerIndex(); i++) {
      if (in.getByte(i) != '\r' && in.getByte(i) != '\n') {
        return false;
      }
    }
    lineEndSkipped = true;
    return true;
  }

  private void decoded(ChannelHandlerContext ctx, Object part) {
    if (part instanceof HttpRequest) {
      headComplete = true;
    }
    if (part instanceof HttpContent content) {
      bodyBytes += content.content().readableBytes();
      if (bodyBytes > BODY_BYTES_MAX) {
        ctx.close();
      }
    }
    if (part instanceof LastHttpContent) {
      complete();
    }
  }

  @Override
  protected HttpMessage createMessage(String[] initialLine) {
    String version = initialLine[2];
    if (!version.equals("HTTP/1.1") && !version.equals("HTTP/1.0")) {
      throw new BadInputException(
          VERSION.matcher(version).matches() ? Problem.OTHER_VERSION : Problem.MALFORMED_REQUEST);
    }
    if (lineIsLoose) {
      throw new BadInputException(Problem.MALFORMED_REQUEST);
    }
    return super.createMessage(initialLine);
  }

  /**
   * Called with the complete head, before the length of the body is determined; throws if the
   * length or the host is ambiguous.
   */
  @Override
  protected boolean isContentAlwaysEmpty(HttpMessage message) {
    HttpHeaders headers = message.headers();
    if (headers.contains(HttpHeaderNames.TRANSFER_ENCODING)) {
      List<String> encodings = headers.getAll(HttpHeaderNames.TRANSFER_ENCODING);
      if (encodings.size() != 1
          || !HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(encodings.get(0))
          || headers.contains(HttpHeaderNames.CONTENT_LENGTH)
          || !HttpVersion.HTTP_1_1.equals(message.protocolVersion())) {
        throw new BadInputException(Problem.AMBIGUOUS_LENGTH);
      }
    }
    checkHost(message);
    return super.isContentAlwaysEmpty(message);
  }

  private void checkHost(HttpMessage message) {
    List<String> hosts = message.headers().getAll(HttpHeaderNames.HOST);
    if (hosts.size() == 1 && hosts.get(0).equals(host)) {
      return;
    }
    boolean mayLack = HttpVersion.HTTP_1_0.equals(message.protocolVersion());
    if (hosts.isEmpty() ? !mayLack : hosts.size() > 1 || !HOST.matcher(hosts.get(0)).matches()) {
      throw new BadInputException(Problem.OTHER_HOST);
    }
    host = hosts.isEmpty() ? null : hosts.get(0);
  }
}
