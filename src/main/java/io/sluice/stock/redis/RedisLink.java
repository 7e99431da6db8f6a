package io.sluice.stock.redis;

import io.sluice.async.Backoff;
import io.sluice.async.TimeLimit;
import io.sluice.metrics.Meters;
import io.sluice.metrics.ProcessMeters.Rare;
import io.sluice.monitor.Alarm;
import io.sluice.monitor.ConnectFault;
import io.sluice.monitor.ConnectFault.ConnectFailure;
import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * One connection to Redis, on which all calls are pipelined. It is replaced when it is lost, when
 * Redis does not answer the periodic check, or when Redis is not fit any more: a demoted primary
 * keeps its connections open. Without a connection, calls fail at once.
 *
 * <p>Everything except {@link #isUp} is called on the context that called {@link #start}. A failed
 * call may have had its effect.
 */
final class RedisLink {

  private static final Logger log = LoggerFactory.getLogger(RedisLink.class);

  /** What does not pass by itself. */
  private static final Set<ConnectFault> UNFIT =
      EnumSet.of(ConnectFault.UNFIT, ConnectFault.PERMISSION_MISSING, ConnectFault.OTHER_LEDGER);

  private static final StockUnavailableException DOWN =
      new StockUnavailableException("Redis is not connected", null);

  private final Vertx vertx;
  private final RedisConnector connector;
  private final int timeoutMs;
  private final Meters meters;
  private final Checks manners;
  private volatile boolean up;
  private boolean closed;
  private String saidUnreachable = "";
  private volatile String reason = "";
  private volatile String aim = "";
  private @Nullable Session session;
  private final Backoff backoff = new Backoff(Duration.ofSeconds(1));
  private long lookTimer = -1;
  private Future<Void> attempt = Future.succeededFuture();

  /** The checks on a connection. */
  interface Checks {
    /** Called on a new connection, before its traffic. A failure fails the attempt to connect. */
    Future<?> greet(RedisConnection connection);

    /**
     * Called every second on the connection in use. If it fails or times out, the connection is
     * replaced.
     */
    Future<?> look(RedisConnection connection);
  }

  RedisLink(Vertx vertx, RedisConnector connector, Meters meters, Checks manners) {
    this.vertx = vertx;
    this.connector = connector;
    this.timeoutMs = connector.timeoutMs();
    this.meters = meters;
    this.manners = manners;
  }

  /**
   * Connects. If the first attempt fails, the Future fails, but attempts continue until {@link
   * #close}.
   */
  Future<Void> start() {
    Context context = vertx.getOrCreateContext();
    Promise<Void> started = Promise.promise();
    context.runOnContext(
        v -> {
          lookTimer = vertx.setPeriodic(RedisClients.LOOK_EVERY_MS, id -> look());
          connect().onComplete(started);
        });
    return started.future();
  }

  /**
   * Completes once no connection is left, also one that is being opened: closing that under the
   * client's hands would be reported as a fault of Redis.
   */
  Future<Void> close() {
    closed = true;
    vertx.cancelTimer(lookTimer);
    Session last = session;
    session = null;
    up = false;
    return attempt.transform(
        ended -> last == null ? Future.succeededFuture() : last.client.close());
  }

  /** Whether there is a connection; from any thread. */
  boolean isUp() {
    return up;
  }

  /** Why there is no connection, in words for anyone; empty: not known. From any thread. */
  String reason() {
    return reason;
  }

  /** The server that it is connected to, or was last tried. From any thread. */
  String aim() {
    return aim;
  }

  /** Sends a request. The caller limits its time and the number of requests. */
  Future<Response> send(Request request) {
    Session now = session;
    return now == null ? Future.failedFuture(DOWN) : now.connection.send(request);
  }

  /**
   * A promise that completes on this event loop. Exceptions of its listeners are reported there,
   * and later steps can have a time-out.
   */
  <T> Promise<T> promise() {
    return ((VertxInternal) vertx).promise();
  }

  /** Runs several requests on the current connection, e.g. to check its settings. */
  <T> Future<T> converse(Function<RedisConnection, Future<T>> conversation) {
    Session now = session;
    return now == null ? Future.failedFuture(DOWN) : conversation.apply(now.connection);
  }

  /**
   * Replaces the connection, because Redis gave an answer that only a replica or a starting server
   * gives.
   */
  void replace(Throwable cause) {
    Session now = session;
    if (now != null) {
      lost(now, cause);
    }
  }

  private Future<Void> connect() {
    attempt =
        connector
            .find()
            .compose(address -> closed ? Future.failedFuture(DOWN) : connect(address))
            .recover(cause -> Future.failedFuture(RedisFailures.classified(cause)))
            .onSuccess(this::adopt)
            .onFailure(cause -> failed(RedisFailures.classified(cause)))
            .mapEmpty();
    return attempt;
  }

  private Future<Session> connect(RedisAddress address) {
    aim = address.toString();
    Redis client = connector.client(address);
    Future<Session> greeted =
        client.connect().compose(connection -> greet(new Session(address, client, connection)));
    return TimeLimit.of(2L * timeoutMs, greeted).onFailure(cause -> client.close());
  }

  private Future<Session> greet(Session fresh) {
    fresh
        .connection
        .exceptionHandler(cause -> lost(fresh, cause))
        .endHandler(
            v -> lost(fresh, new StockUnavailableException("Redis closed the connection", null)));
    return manners.greet(fresh.connection).map(fresh);
  }

  private void adopt(Session fresh) {
    if (closed) {
      fresh.client.close();
      return;
    }
    session = fresh;
    up = true;
    reason = "";
    saidUnreachable = "";
    backoff.reset();
    log.atInfo().addKeyValue("redis", fresh.address).log("Redis connected");
  }

  private void failed(ConnectFailure failure) {
    if (closed) {
      return;
    }
    connector.doubt();
    boolean unfit = UNFIT.contains(failure.connectFault());
    reason = failure.connectFault().text();
    String said = unfit ? String.valueOf(failure.getMessage()) : reason;
    if (!said.equals(saidUnreachable)) {
      saidUnreachable = said;
      if (failure.connectFault() == ConnectFault.OTHER_LEDGER) {
        Alarm.SECOND_LEDGER.raise(tell(log.atError(), failure));
      } else if (unfit) {
        Alarm.REDIS_UNFIT.raise(tell(log.atError(), failure));
      } else {
        tell(log.atWarn(), failure).log("Redis cannot be reached; retried until it succeeds");
      }
    }
    connectLater();
  }

  private LoggingEventBuilder tell(LoggingEventBuilder line, ConnectFailure failure) {
    return line.addKeyValue("redis", aim)
        .addKeyValue("reason", failure.connectFault().text())
        .addKeyValue("cause", failure.getMessage());
  }

  /**
   * A loss may be reported twice, and late; only the first report about the connection in use
   * counts.
   */
  private void lost(Session gone, Throwable cause) {
    if (gone != session) {
      return;
    }
    session = null;
    up = false;
    meters.count(Rare.REDIS_CONNECTIONS_LOST);
    connector.doubt();
    log.atWarn()
        .addKeyValue("redis", gone.address)
        .addKeyValue("cause", ConnectFault.line(cause))
        .log("Redis connection lost");
    gone.client.close();
    connectLater();
  }

  private void connectLater() {
    if (!closed) {
      vertx.setTimer(backoff.next().toMillis(), id -> reconnect());
    }
  }

  private void reconnect() {
    if (!closed) {
      connect();
    }
  }

  private void look() {
    Session now = session;
    if (now != null && !now.looking) {
      now.looking = true;
      TimeLimit.of(timeoutMs, manners.look(now.connection))
          .compose(fit -> expectPrimary(now.address))
          .onSuccess(fit -> now.looking = false)
          .onFailure(cause -> lost(now, cause));
    }
  }

  /**
   * Fails if sentinels name another Redis: the one that was replaced may still answer. While they
   * name none, the present one goes on.
   */
  private Future<Void> expectPrimary(RedisAddress present) {
    return connector
        .find()
        .transform(
            (named, unknown) ->
                named == null || named.equals(present)
                    ? Future.succeededFuture()
                    : Future.failedFuture(
                        new StockUnavailableException(
                            "Expected the primary at %s, but sentinels name %s"
                                .formatted(present, named),
                            null)));
  }

  /**
   * A connection and the client that was created for it alone: closing the client cuts a hung
   * connection.
   */
  private static final class Session {
    private final RedisAddress address;
    private final Redis client;
    private final RedisConnection connection;
    private boolean looking;

    Session(RedisAddress address, Redis client, RedisConnection connection) {
      this.address = address;
      this.client = client;
      this.connection = connection;
    }
  }
}
