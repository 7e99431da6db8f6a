package io.sluice.web;

import static io.sluice.model.Limits.REQUEST_LINE_BYTES_MAX;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.sluice.config.Cidr;
import io.sluice.metrics.Meters;
import io.sluice.web.OverloadGate.GatedRequests;
import io.sluice.web.Problem.BadInputException;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop of a port. A request that does not arrive in time is answered
 * with 408, and its connection is closed. If a port has as many connections as it may have, a new
 * one takes the place of those that have been idle for longest. It is closed if all are in use.
 *
 * <p>A connection counts as soon as it is accepted. With TLS its handshake begins only then, and
 * has the time of a request.
 */
public final class OpenConnections {
  /**
   * Longer than load balancers keep an idle connection by default (nginx, cloud load balancers: 60
   * s). The one that closes it must be the one that sends requests on it, else some meet the close.
   */
  private static final int IDLE_S_MAX = 75;

  /**
   * The maximum number of connections waiting to be accepted: a stampede arrives within a second.
   * The kernel may allow fewer.
   */
  private static final int BACKLOG_MAX = 4_096;

  private static final Duration SWEEP = Duration.ofSeconds(1);

  /** Closing several at once limits how often all are searched. */
  private static final int CLOSED_AT_ONCE = 64;

  private final HttpServerOptions options;
  private final PortTls tls;
  private final Limits limits;
  private final Meters meters;
  private final @Nullable OverloadGate gate;
  private final Set<Open> open = new HashSet<>();

  /** The limits of a port and what counts for them, shared by its event loops. */
  public static final class Limits {
    /** The address of connections that count for none. */
    private static final String NOBODY = "";

    private final AtomicInteger connections = new AtomicInteger();
    private final Map<String, Integer> ofAddress = new ConcurrentHashMap<>();
    private final int max;
    private final Duration requestTime;
    private final int perAddress;
    private final List<Cidr> exempt;

    /**
     * @param max the maximum number of open connections
     * @param requestTimeS in which a request must arrive completely
     * @param perAddress connections of one address; 0 = any number
     * @param exempt addresses that call for many others
     */
    public Limits(int max, int requestTimeS, int perAddress, List<Cidr> exempt) {
      this.max = max;
      this.requestTime = Duration.ofSeconds(requestTimeS);
      this.perAddress = perAddress;
      this.exempt = exempt;
    }

    /** The number of open connections now. */
    public int count() {
      return connections.get();
    }

    private boolean isFull() {
      return count() >= max;
    }

    /** Counts a connection for its address; null if that has as many as it may have. */
    private @Nullable String enter(@Nullable String ip) {
      if (perAddress == 0 || ip == null || Cidr.anyContains(exempt, ip)) {
        return NOBODY;
      }
      String address = Cidr.sourceOf(ip);
      AtomicBoolean entered = new AtomicBoolean();
      ofAddress.compute(
          address,
          (key, count) -> {
            int before = count == null ? 0 : count;
            entered.set(before < perAddress);
            return before < perAddress ? before + 1 : before;
          });
      return entered.get() ? address : null;
    }

    /** Ends one that {@link #enter} has counted for this address. */
    private void leave(String address) {
      ofAddress.computeIfPresent(address, (key, count) -> count == 1 ? null : count - 1);
    }
  }

  private record Open(Channel channel, RequestDecoder decoder, String address) {}

  private OpenConnections(
      HttpServerOptions options,
      PortTls tls,
      Limits limits,
      Meters meters,
      @Nullable OverloadGate gate) {
    this.options = options;
    this.tls = tls;
    this.limits = limits;
    this.meters = meters;
    this.gate = gate;
  }

  /** The HTTP server settings of both ports. */
  public static HttpServerOptions settings(String host, int port, int headerBytesMax) {
    return new HttpServerOptions()
        .setHost(host)
        .setPort(port)
        .setHttp2ClearTextEnabled(false)
        // Neither port speaks WebSocket, and the handlers for it refuse more than 128 requests that
        // wait for their answers.
        .setPerFrameWebSocketCompressionSupported(false)
        .setPerMessageWebSocketCompressionSupported(false)
        .setMaxInitialLineLength(REQUEST_LINE_BYTES_MAX)
        .setMaxHeaderSize(headerBytesMax)
        .setAcceptBacklog(BACKLOG_MAX)
        .setIdleTimeout(IDLE_S_MAX)
        .setIdleTimeoutUnit(TimeUnit.SECONDS);
  }

  /**
   * A server whose connections are limited; made and listening on the current event loop.
   *
   * @param options without TLS, which is that of {@code tls}
   * @param gate null if all requests are let in
   */
  public static HttpServer server(
      Vertx vertx,
      HttpServerOptions options,
      PortTls tls,
      Limits limits,
      Meters meters,
      @Nullable OverloadGate gate) {
    OpenConnections connections = new OpenConnections(options, tls, limits, meters, gate);
    vertx.setPeriodic(SWEEP.toMillis(), sweep -> connections.closeLate());
    return vertx
        .createHttpServer(options)
        .connectionHandler(connections::add)
        .invalidRequestHandler(OpenConnections::invalid);
  }

  /**
   * Answers input that is not HTTP, and closes the connection: the start of a next request cannot
   * be found.
   */
  private static void invalid(HttpServerRequest request) {
    request.response().headers().set(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    Problem.ofMalformed(request.decoderResult().cause())
        .send(request.response())
        .onComplete(sent -> request.connection().close());
  }

  /** Takes charge of a new connection, before anything of it is read. */
  private void add(HttpConnection connection) {
    Channel channel = ((ConnectionBase) connection).channel();
    String address = limits.enter(connection.remoteAddress().hostAddress());
    if (address == null) {
      refuse(channel, "address");
      return;
    }
    if (limits.isFull()) {
      closeIdle();
    }
    if (limits.isFull()) {
      limits.leave(address);
      refuse(channel, "limit");
      return;
    }
    RequestDecoder decoder = decoder(channel);
    speakTls(channel);
    Open added = new Open(channel, decoder, address);
    open.add(added);
    limits.connections.incrementAndGet();
    connection.closeHandler(closed -> remove(added));
  }

  private void refuse(Channel channel, String reason) {
    meters.connections().dropped(reason);
    if (tls.isOn()) {
      // An answer would cost a handshake.
      channel.close();
    } else {
      decoder(channel).end(Problem.OVERLOADED);
    }
  }

  private RequestDecoder decoder(Channel channel) {
    GatedRequests gated = gate == null ? null : new GatedRequests(gate);
    RequestDecoder decoder = new RequestDecoder(options, gated);
    channel.pipeline().replace("httpDecoder", "httpDecoder", decoder);
    if (gated != null) {
      channel.pipeline().addBefore("handler", "answers", gated.answerCounter());
    }
    return decoder;
  }

  private void speakTls(Channel channel) {
    SslHandler handler = tls.handler(channel.alloc(), limits.requestTime);
    if (handler != null) {
      handler.handshakeFuture().addListener(ended -> note(ended.cause()));
      channel.pipeline().addFirst("ssl", handler);
    }
  }

  private void note(@Nullable Throwable handshake) {
    boolean isLate = handshake instanceof SslHandshakeTimeoutException;
    meters
        .connections()
        .handshakes(handshake == null ? "ok" : isLate ? "late" : "failed")
        .increment();
    if (isLate) {
      meters.connections().dropped("late");
    }
  }

  private void remove(Open one) {
    if (open.remove(one)) {
      limits.connections.decrementAndGet();
      limits.leave(one.address);
    }
  }

  private void closeIdle() {
    long now = System.nanoTime();
    List<Open> longestIdle =
        open.stream()
            .filter(one -> one.decoder.isIdle(now))
            .sorted(Comparator.comparingLong(one -> one.decoder.sinceNanos() - now))
            .limit(CLOSED_AT_ONCE)
            .toList();
    for (Open one : longestIdle) {
      meters.connections().dropped("idle");
      remove(one);
      one.channel.close();
    }
  }

  private void closeLate() {
    long now = System.nanoTime();
    for (Open one : List.copyOf(open)) {
      if (one.decoder.isArriving()
          && now - one.decoder.sinceNanos() > limits.requestTime.toNanos()) {
        closeLate(one);
      }
    }
  }

  private void closeLate(Open one) {
    if (!one.channel.config().isAutoRead()) {
      // Reading is paused until the request before is answered.
      one.decoder.restart();
      return;
    }
    meters.connections().dropped("late");
    if (one.decoder.isHeadComplete()) {
      one.decoder.fail(new BadInputException(Problem.LATE_REQUEST));
    } else if (one.decoder.mayEnd()) {
      one.decoder.end(Problem.LATE_REQUEST);
    } else {
      // An answer could be taken for that to the request before.
      one.channel.close();
    }
  }
}
