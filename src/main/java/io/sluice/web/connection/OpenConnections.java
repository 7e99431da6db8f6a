package io.sluice.web.connection;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.sluice.metrics.Meters;
import io.sluice.web.problem.Problem;
import io.sluice.web.problem.ProblemMapper;
import io.sluice.web.problem.RequestRejectedException;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.impl.ConnectionBase;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
  private static final Duration SWEEP = Duration.ofSeconds(1);

  /** Closing several at once limits how often all are searched. */
  private static final int CLOSED_AT_ONCE = 64;

  private final HttpServerOptions options;
  private final PortTls tls;
  private final Limits limits;
  private final Meters meters;
  private final @Nullable OverloadGate gate;
  private final Set<Open> open = new HashSet<>();

  /**
   * The limits of a port, shared by its event loops.
   *
   * @param connections the open connections of all event loops
   * @param max the maximum number of these
   * @param requestTime in which a request must arrive completely
   * @param addresses the connections of each address
   */
  public record Limits(
      AtomicInteger connections, int max, Duration requestTime, AddressCounts addresses) {
    public static Limits of(int max, int requestTimeS, AddressCounts addresses) {
      return new Limits(new AtomicInteger(), max, Duration.ofSeconds(requestTimeS), addresses);
    }

    /** The number of open connections now. */
    public int count() {
      return connections.get();
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
        .invalidRequestHandler(ProblemMapper::invalid);
  }

  /** Takes charge of a new connection, before anything of it is read. */
  private void add(HttpConnection connection) {
    Channel channel = ((ConnectionBase) connection).channel();
    String address = limits.addresses.enter(connection.remoteAddress().hostAddress());
    if (address == null) {
      refuse(channel, "address");
      return;
    }
    if (isFull()) {
      closeIdle();
    }
    if (isFull()) {
      limits.addresses.leave(address);
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
    if (handshake == null) {
      meters.connections().shookHands();
    } else if (handshake instanceof SslHandshakeTimeoutException) {
      meters.connections().handshakeLate();
      meters.connections().dropped("late");
    } else {
      meters.connections().handshakeFailed();
    }
  }

  private boolean isFull() {
    return limits.count() >= limits.max;
  }

  private void remove(Open one) {
    if (open.remove(one)) {
      limits.connections.decrementAndGet();
      limits.addresses.leave(one.address);
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
      one.decoder.fail(new RequestRejectedException(Problem.LATE_REQUEST));
    } else if (one.decoder.mayEnd()) {
      one.decoder.end(Problem.LATE_REQUEST);
    } else {
      // An answer could be taken for that to the request before.
      one.channel.close();
    }
  }
}
